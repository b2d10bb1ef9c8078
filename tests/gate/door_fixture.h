// A host with its agents' door open on a Unix socket and on loopback, and an agent's client. As the host's fixture.
#pragma once

#include "tests/engine/host_fixture.h"
#include "tests/gate/http_client.h"

#include "model/gate/agents_door.h"
#include "model/rules/sha256.h"
#include "model/trust/token_secret.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <map>
#include <memory>
#include <string>

namespace handreset::test {

class DoorFixture : public HostFixture {
public:
    DoorFixture() { start(); }
    ~DoorFixture() { closeDoor(); }

    void openDoor()
    {
        options.server.socketPath = socketPath();
        options.server.limits.closing = std::chrono::milliseconds(100); // and a tick as short
        options.server.listen = gate::ListenAddress{"127.0.0.1", 0};
        auto opened = gate::AgentsDoor::start(host(), options);
        if (!opened)
            qFatal("%s", opened.error().message.c_str());
        m_door = std::move(opened).value();
    }
    void closeDoor() { m_door.reset(); }
    [[nodiscard]] std::string verifyStopped()
    {
        closeDoor();
        return HostFixture::verifyStopped();
    }
    [[nodiscard]] gate::AgentsDoor &door() { return *m_door; }
    [[nodiscard]] std::string socketPath() const { return path().toStdString() + ".agents"; }

    /// A token of the agent, made as an operator would.
    std::string tokenOf(const std::string &agent, const std::string &feed = {})
    {
        const auto secret = trust::newTokenSecret();
        const auto reply = send(rules::AddToken{agent, feed, rules::sha256(secret), "ana", "for the test"});
        if (const auto *error = std::get_if<rules::Error>(&reply.outcome))
            qFatal("%s", error->message.c_str());
        lastToken = std::get<rules::ActDone>(reply.outcome).seq;
        return secret;
    }
    /// A client at the Unix socket with a token of its own.
    [[nodiscard]] std::unique_ptr<HttpClient> client(const std::string &agent = "a1")
    {
        auto made = std::make_unique<HttpClient>(socketPath());
        made->token = tokenOf(agent);
        return made;
    }
    [[nodiscard]] static QJsonObject jsonOf(const HttpAnswer &answer)
    {
        return QJsonDocument::fromJson(QByteArray::fromStdString(answer.body)).object();
    }

    gate::AgentsDoorOptions options;
    rules::Seq lastToken;

private:
    std::unique_ptr<gate::AgentsDoor> m_door;
};

} // namespace handreset::test
