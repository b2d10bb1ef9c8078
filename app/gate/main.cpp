// handreset-gate: hosts a store without a desk (spec 5, 8). This file only wires concrete things together.
#include "app/desk/quit_on_signal.h"
#include "app/gate/gate.h"
#include "app/gate/gate_log.h"
#include "app/gate/gate_options.h"
#include "app/gate/printable.h"
#include "app/gate/service_manager.h"
#include "model/trust/no_core_files.h"

#include <QCoreApplication>

#include <csignal>
#include <cstdio>
#include <sys/stat.h>
#include <unistd.h>

namespace {

using namespace handreset;

constexpr int kWrongUse = 2; // spec 8

gate::GateLog *logOfQt = nullptr; ///< Qt's handler of messages takes no context

/// What Qt and the store's own categories say goes into the same log.
void takeMessage(QtMsgType type, const QMessageLogContext &context, const QString &message)
{
    const auto level = type == QtDebugMsg ? gate::LogLevel::Debug
        : type == QtInfoMsg               ? gate::LogLevel::Info
        : type == QtWarningMsg            ? gate::LogLevel::Warning
                                          : gate::LogLevel::Error;
    const auto text = message.toStdString();
    const std::string_view category = context.category != nullptr ? context.category : "";
    if (logOfQt != nullptr)
        logOfQt->write(level, "message", {{"category", category}, {"message", text}});
}

void print(std::FILE *stream, const std::string &text)
{
    std::fputs(text.c_str(), stream);
    std::fflush(stream);
}

} // namespace

int main(int argc, char *argv[])
{
    umask(077);                    // what is written is its user's alone
    trust::leaveNoCoreFiles();
    std::signal(SIGPIPE, SIG_IGN); // whoever reads a log or an answer may leave
    std::signal(SIGXFSZ, SIG_IGN); // a limit on files is an error of one write
    auto manager = gate::ServiceManager::fromEnvironment();
    const auto options = gate::readOptions({argv + 1, argv + argc});
    if (!options) {
        const auto &error = options.error();
        print(stderr,
              "handreset-gate: " + gate::printable(error.context.empty() ? "" : error.context + ": ")
                  + gate::printable(error.message) + "\n");
        return kWrongUse;
    }
    if (!options->help.empty()) {
        print(stdout, options->help);
        return 0;
    }
    int one = 1;
    const QCoreApplication application(one, argv); // finds the SQL driver
    const desk::QuitOnSignal quitOnSignal;
    gate::GateLog log(STDERR_FILENO, options->settings.logLevel.value_or(gate::LogLevel::Info));
    logOfQt = &log;
    qInstallMessageHandler(takeMessage);
    int code = 0;
    {
        gate::Gate gate(options->settings, log, manager);
        QObject::connect(&gate, &gate::Gate::ended, &application, &QCoreApplication::exit, Qt::QueuedConnection);
        gate.start();
        code = QCoreApplication::exec();
    }
    qInstallMessageHandler(nullptr);
    return code;
}
