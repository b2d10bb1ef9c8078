// handresetctl: the command line of Handreset (spec 8).
#include "app/ctl/terminal_passphrase.h"
#include "app/ctl/verbs.h"

#include "model/engine/host_clock.h"
#include "model/trust/no_core_files.h"

#include <QCoreApplication>

#include <iostream>
#include <sys/stat.h>
#include <unistd.h>

int main(int argc, char *argv[])
{
    const auto callersMask = umask(077); // what is written is its user's alone
    handreset::trust::leaveNoCoreFiles();
    int one = 1;
    const QCoreApplication application(one, argv); // finds the SQL driver
    const std::vector<std::string> words(argv + 1, argv + argc);
    const handreset::engine::SystemClock clock;
    std::ios::sync_with_stdio(false);
    handreset::ctl::Context context{std::cout,
                                    std::cerr,
                                    isatty(STDERR_FILENO) == 1,
                                    handreset::ctl::presentOperator(),
                                    &clock,
                                    handreset::ctl::askOnTerminal};
    context.callersMask = callersMask;
    const auto code = handreset::ctl::runHandresetctl(words, context);
    std::cout.flush();
    return static_cast<int>(code);
}
