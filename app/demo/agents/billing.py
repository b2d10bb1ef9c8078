"""Pays invoices, until it does not: it looks the same invoice up again and again (repetition), tries a Pix of 900 BRL
against a cap of 500 (envelope), while model calls in flight spend the last of its day's 10 USD and the overdraft
(spend). Refused, it keeps asking now and then, as agents do."""

from typing import Any, Dict, List

from demo_agent import DemoAgent, main
from handreset import HandresetError, Step

MOST_LOOKUPS = 12
LAST_COSTS = (130, 145, 160)  # cents: what the calls in flight turn out to cost


def pix(amount: int, request: int) -> Dict[str, Any]:
    return {"amount": amount, "currency": "BRL", "pix_key": "acme@example.com", "request_id": str(request)}


class BillingAgent(DemoAgent):
    name = "billing"

    def start(self) -> None:
        self._lookups = 0
        self._loop = self.task_name("invoice-2231")
        self._month = self.task_name("month-end")
        self._in_flight: List[Step] = []
        self.after(6, self._pay_an_invoice)
        self.after(24, self._look_up_again)
        self.after(56, lambda: self._read_statements(6))

    def _pay_an_invoice(self) -> None:
        task = self.task_name("invoice-2229")
        self.think(task, "large-model", 4)
        self.use(task, "lookup_invoice", {"id": 2229})
        self.think(task, "large-model", 3)
        self.use(task, "send_pix", pix(120, 1))
        self.end(task, "paid")

    def _look_up_again(self) -> None:
        """Each answer is the same, valid and useless: no call fails, and every turn costs."""
        self._lookups += 1
        if self._lookups > MOST_LOOKUPS:
            return
        thinks = self.think(self._loop, "large-model", 6)
        finds = self.use(self._loop, "lookup_invoice", {"id": 2231}, changed=False)
        if thinks and finds:
            self.after(2.5, self._look_up_again)
        else:
            self.after(2, self._loop_stopped)

    def _loop_stopped(self) -> None:
        # Degraded: the large model is refused and the small one named; a note for whoever takes over; no writing.
        if not self.think(self._loop, "large-model", 6):
            self.think(self._loop, "small-model", 1)
        self.note(self._loop, "The supplier's portal shows invoice 2231 as open and as paid. I asked again, and the "
                              "answer is the same. Somebody should look at the bank statement of 28 November.")
        self.use(self._loop, "send_pix", pix(310, 2))
        self._hammer(self._loop, 4)

    def _read_statements(self, left: int) -> None:
        if left == 0:
            self._send_three()
            return
        self.think(self._month, "large-model", 125)
        self.use(self._month, "lookup_invoice", {"id": 2240 - left})
        self.after(2.8, lambda: self._read_statements(left - 1))

    def _send_three(self) -> None:
        """Three model calls of sub-tasks leave at once: each fits by its estimate, together they do not by their cost."""
        for part in (1, 2, 3):
            task = self.task_name(f"month-end-part-{part}")
            try:
                self._in_flight.append(self.ask_model(task, "large-model", 60, parent=self._month))
            except HandresetError:
                pass
        self.after(3, self._pay_too_much)
        self.after(9, lambda: self._answers_come(0))

    def _pay_too_much(self) -> None:
        self.use(self._month, "send_pix", pix(900, 3))
        self.after(2, lambda: self._hammer(self._month, 9))

    def _answers_come(self, index: int) -> None:
        if index >= len(self._in_flight):
            return
        self.model_answered(self._in_flight[index], "large-model", LAST_COSTS[index])
        self.after(6, lambda: self._answers_come(index + 1))

    def _hammer(self, task: str, left: int) -> None:
        """A refused agent asks again, in bursts."""
        if left == 0:
            return
        for ask in range(3):
            self.use(task, "send_pix", pix(300, 100 + ask))
        self.think(task, "large-model", 10)
        self.after(self.between(4, 8), lambda: self._hammer(task, left - 1))


if __name__ == "__main__":
    main(BillingAgent)
