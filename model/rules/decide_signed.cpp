#include "model/rules/draft.h"

namespace handreset::rules {

namespace {
void notYet(Draft &draft) { draft.answer(Error{ErrorCode::Unavailable, "not yet", {}}); }
}
void decide(Draft &draft, const EnrolOperator &) { notYet(draft); }
void decide(Draft &draft, const RetireOperator &) { notYet(draft); }
void decide(Draft &draft, const RotateKey &) { notYet(draft); }
void decide(Draft &draft, const GivePass &) { notYet(draft); }
void decide(Draft &draft, const Approve &) { notYet(draft); }
void decide(Draft &draft, const EndRequest &) { notYet(draft); }
void decide(Draft &draft, const CloseReview &) { notYet(draft); }
void decide(Draft &draft, const Signed &) { notYet(draft); }

} // namespace handreset::rules
