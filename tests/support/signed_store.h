// A signed store for tests of what acts on one: a folder with the store, the operators' sealed keys and the host's
// pins, and the operators themselves. The environment names these folders for as long as it lives. One thread.
#pragma once

#include "model/engine/host.h"
#include "model/rules/act.h"
#include "model/rules/instant.h"
#include "model/store/store.h"
#include "model/trust/key_file.h"
#include "model/trust/signer.h"

#include <QString>
#include <QTemporaryDir>

#include <future>
#include <map>
#include <memory>
#include <string>
#include <utility>

namespace handreset::test {

inline constexpr const char *kPassphrase = "correct horse battery";

class SignedStore {
public:
    explicit SignedStore(rules::Now now) : keys(folder.filePath(QStringLiteral("keys")), trust::Hardness::least())
    {
        path = folder.filePath(QStringLiteral("fleet.db"));
        qputenv("HANDRESET_KEYS", folder.filePath(QStringLiteral("keys")).toUtf8());
        qputenv("HANDRESET_PINS", folder.filePath(QStringLiteral("pins")).toUtf8());
        if (const auto made = store::Store::init(path, {}, now); !made)
            qFatal("%s", made.error().message.c_str());
    }
    ~SignedStore()
    {
        qunsetenv("HANDRESET_KEYS");
        qunsetenv("HANDRESET_PINS");
    }
    SignedStore(const SignedStore &) = delete;
    SignedStore &operator=(const SignedStore &) = delete;

    [[nodiscard]] static std::shared_ptr<const rules::Fleet> fleet(engine::Host &host)
    {
        std::promise<std::shared_ptr<const rules::Fleet>> promise;
        host.stateAt(host.status().committed, [&](rules::Result<std::shared_ptr<const rules::Fleet>> read) {
            promise.set_value(read ? *read : nullptr);
        });
        return promise.get_future().get();
    }

    /// Enrols this person, the first one by themselves, and lays their sealed key beside the store. `isHere` false: the
    /// key lies elsewhere, so that the desk does not see it.
    void enrol(engine::Host &host, const std::string &name, rules::Role role, rules::Instant now,
               const std::string &by = {}, bool isHere = true)
    {
        const auto state = fleet(host);
        storeId = state->storeId;
        const auto key = trust::SecretKey::generate();
        auto phrase = trust::Passphrase::take(QString::fromLatin1(kPassphrase));
        const trust::KeyOwner owner{storeId, name};
        const trust::KeyFiles elsewhere(folder.filePath(QStringLiteral("elsewhere")), trust::Hardness::least());
        const trust::KeyFiles &files = isHere ? keys : elsewhere;
        if (const auto sealed = files.seal(owner, key, *phrase); !sealed)
            qFatal("%s", sealed.error().message.c_str());
        auto opened = files.open(owner, *phrase);
        if (!opened)
            qFatal("%s", opened.error().message.c_str());
        trust::SignerSeat seat = trust::SignerSeat::here(storeId, name);
        seat.machine = name + "-laptop";
        const rules::PublicKey publicKey = key.publicKey();
        people.emplace(name, trust::Signer(std::move(*opened), std::move(seat)));
        const auto reply
            = act(host, by.empty() ? name : by, rules::EnrolOperator{name, role, publicKey, {}, "joins"}, now);
        if (const auto *error = std::get_if<rules::Error>(&reply.outcome))
            qFatal("%s", error->message.c_str());
    }

    /// The act under this person's signature, waited for.
    engine::Reply act(engine::Host &host, const std::string &name, rules::Act what, rules::Instant now)
    {
        return engine::submitAndWait(host, people.at(name).sign(std::move(what), now));
    }

    QTemporaryDir folder;
    QString path;
    std::string storeId;
    trust::KeyFiles keys;
    std::map<std::string, trust::Signer> people;
};

} // namespace handreset::test
