// For the command line's tests: verbs run in this process on a store in a folder of its own, and what they said.
// Thread: the test's. Failure: qFatal, for a test without its store has nothing to say.
#pragma once

#include "app/ctl/verbs.h"
#include "model/engine/embedded_host.h"
#include "model/engine/host_clock.h"
#include "model/rules/command.h"
#include "model/rules/policy_text.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace handreset::tests {

/// What a verb answered.
struct Ran {
    int code = 0;
    std::string out;
    std::string err;

    /// The one object that --json prints; fails the test's expectations by being empty.
    [[nodiscard]] QJsonObject json() const { return QJsonDocument::fromJson(QByteArray::fromStdString(out)).object(); }
    [[nodiscard]] bool says(std::string_view text) const { return (out + err).find(text) != std::string::npos; }
};

class CtlFixture {
public:
    [[nodiscard]] QString path() const { return m_folder.filePath(QStringLiteral("store/fleet.db")); }
    [[nodiscard]] QString file(const QString &name) const { return m_folder.filePath(name); }
    /// Writes a file of this test's folder; its path.
    [[nodiscard]] std::string write(const QString &name, const std::string &text) const
    {
        QFile out(file(name));
        if (!out.open(QIODevice::WriteOnly) || out.write(QByteArray::fromStdString(text)) < 0)
            qFatal("%s cannot be written", qPrintable(name));
        return file(name).toStdString();
    }

    /// The words as they stand, without a store.
    Ran runBare(const std::vector<std::string> &words)
    {
        std::ostringstream out;
        std::ostringstream err;
        ctl::Context context{out, err, false, "ana", &clock};
        context.hardness = trust::Hardness::least();
        const auto code = ctl::runHandresetctl(words, context);
        return {static_cast<int>(code), out.str(), err.str()};
    }
    /// The words on this test's store.
    Ran run(std::vector<std::string> words)
    {
        words.emplace_back("--store");
        words.push_back(path().toStdString());
        return runBare(words);
    }
    Ran runJson(std::vector<std::string> words)
    {
        words.emplace_back("--json");
        return run(std::move(words));
    }

    /// A host on the store, to live a little: agents ask through it. Freed by `leave`.
    engine::EmbeddedHost &live()
    {
        engine::EmbeddedHostOptions options;
        options.storePath = path();
        options.version = "test";
        options.operatorName = "ana";
        options.clock = &clock;
        auto host = engine::EmbeddedHost::start(std::move(options));
        if (!host)
            qFatal("host: %s", host.error().message.c_str());
        m_host = std::move(*host);
        return *m_host;
    }
    void leave() { m_host.reset(); }

    rules::Decision askStep(const std::string &agent, const std::string &task)
    {
        rules::AskStep ask;
        ask.agent = agent;
        ask.task = task;
        ask.model = "large-model";
        return decision(engine::submitAndWait(*m_host, ask));
    }
    rules::Decision askCall(const std::string &agent, const std::string &task, const std::string &tool,
                            const std::string &arguments)
    {
        rules::AskCall ask;
        ask.agent = agent;
        ask.task = task;
        ask.tool = tool;
        ask.arguments = arguments;
        return decision(engine::submitAndWait(*m_host, ask));
    }

    /// Names and contents of all files in the store's folder.
    [[nodiscard]] QByteArray storeBytes() const
    {
        QCryptographicHash hash(QCryptographicHash::Sha256);
        const QDir folder(m_folder.filePath(QStringLiteral("store")));
        for (const auto &name : folder.entryList(QDir::Files | QDir::Hidden, QDir::Name)) {
            QFile in(folder.filePath(name));
            if (!in.open(QIODevice::ReadOnly))
                qFatal("%s cannot be read", qPrintable(name));
            hash.addData(name.toUtf8());
            hash.addData(in.readAll());
        }
        return hash.result();
    }

    engine::FakeClock clock{{1'796'040'000'000'000}}; ///< noon of a Monday, UTC

private:
    static rules::Decision decision(const engine::Reply &reply)
    {
        if (const auto *error = std::get_if<rules::Error>(&reply.outcome))
            qFatal("ask: %s", error->message.c_str());
        return std::get<rules::Decision>(reply.outcome);
    }

    QTemporaryDir m_folder;
    std::unique_ptr<engine::EmbeddedHost> m_host;
};

} // namespace handreset::tests
