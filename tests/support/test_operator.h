// An operator with a key of their own, who signs acts as a desk would. A value; one thread.
#pragma once

#include "model/rules/authority.h"
#include "model/rules/command.h"

#include <sodium.h>

#include <QtGlobal>

#include <cstring>
#include <string>
#include <utility>

namespace handreset::test {

class TestOperator {
public:
    explicit TestOperator(std::string name) : m_name(std::move(name))
    {
        if (sodium_init() < 0)
            qFatal("libsodium cannot begin");
        crypto_sign_keypair(m_public.data(), m_secret.data());
    }

    [[nodiscard]] const std::string &name() const { return m_name; }
    [[nodiscard]] const rules::PublicKey &key() const { return m_public; }
    std::string machine = "laptop";
    std::string session = "desk 1";
    bool breakGlass = false;

    /// `fleet` is what the operator looks at, `at` the host's time.
    [[nodiscard]] rules::Signed sign(const rules::Fleet &fleet, rules::Act act, rules::Instant at) const
    {
        rules::setActor(act, m_name);
        if (auto *approve = std::get_if<rules::Approve>(&act)) { // what they look at, unless the test says otherwise
            const auto request = fleet.requests.find(approve->request);
            if (approve->what == rules::Digest{} && request != fleet.requests.end())
                approve->what = rules::digestOf(request->second);
        }
        rules::Signed command;
        auto &one = command.act;
        one.storeId = fleet.signedAs();
        one.by = m_name;
        one.nonce.resize(rules::kNonceSize);
        randombytes_buf(one.nonce.data(), one.nonce.size());
        one.at = at;
        one.machine = machine;
        one.session = session;
        one.breakGlass = breakGlass;
        one.act = rules::encodeAct(act);
        resign(one);
        command.origin = {"embedded", breakGlass};
        return command;
    }
    /// Signs anew what was altered.
    void resign(rules::SignedAct &one) const
    {
        const auto bytes = rules::bytesToSign(one);
        one.signature.resize(rules::kSignatureSize);
        crypto_sign_detached(reinterpret_cast<unsigned char *>(one.signature.data()), nullptr,
                             reinterpret_cast<const unsigned char *>(bytes.data()), bytes.size(), m_secret.data());
    }
    /// The act of the first operator, who enrols themselves.
    [[nodiscard]] rules::Act enrolsSelf() const
    {
        return rules::EnrolOperator{m_name, rules::Role::Approver, m_public, m_name, "the first one"};
    }
    [[nodiscard]] rules::EnrolOperator enrolled(rules::Role role) const { return {m_name, role, m_public, {}, "joins"}; }

private:
    std::string m_name;
    rules::PublicKey m_public{};
    std::array<unsigned char, crypto_sign_SECRETKEYBYTES> m_secret{};
};

} // namespace handreset::test
