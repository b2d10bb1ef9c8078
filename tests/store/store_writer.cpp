// A host that works until it is killed: appends to the store and says each acknowledged sequence number, one a line.
// store_writer PATH SEED. Used by tst_store_kill.
#include "tests/support/busy_fleet.h"

#include <QCoreApplication>

#include <cstdio>
#include <cstdlib>

int main(int argc, char **argv)
{
    using namespace handreset;
    const QCoreApplication application(argc, argv);
    if (argc != 3)
        return 2;
    auto opened = store::Store::open(QString::fromLocal8Bit(argv[1]));
    if (!opened) {
        std::fprintf(stderr, "%s (%s)\n", opened.error().message.c_str(), opened.error().context.c_str());
        return 3;
    }
    tests::Life life(**opened);
    const auto seed = static_cast<std::uint32_t>(std::strtoul(argv[2], nullptr, 10));
    tests::BusyFleet busy(seed);
    for (std::uint32_t turn = 0;; ++turn) {
        for (std::uint32_t i = 0; i <= (turn * 7 + seed) % 40; ++i)
            busy.step(life);
        const auto durability = turn % 5 == 0 ? store::Durability::Synced : store::Durability::Ordered;
        if (const auto written = life.write(durability); !written) {
            std::fprintf(stderr, "%s\n", written.error().message.c_str());
            return 3;
        }
        std::printf("%llu\n", static_cast<unsigned long long>(life.fleet().seq.value));
        std::fflush(stdout);
        if (turn % 50 == 49)
            (*opened)->checkpoint();
    }
}
