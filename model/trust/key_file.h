// Where an operator's sealed keys lie: one file for each store and operator, in a folder for their user alone. Thread:
// any; one object belongs to one thread at a time; `seal`, `open` and `changePassphrase` take about a second.
// Failure: nothing is ever overwritten but by what replaces it on purpose; errors say what sets it right and hold
// neither passphrase nor key.
#pragma once

#include "model/trust/private_folder.h"
#include "model/trust/sealed_key.h"

#include <QString>

#include <string>
#include <string_view>
#include <vector>

namespace handreset::trust {

class KeyFiles {
public:
    /// The key in use, or the one that waits to take its place: a new key is on the disk before the log knows of it,
    /// and the old one until then.
    enum class Which { Present, Next };

    /// $HANDRESET_KEYS, else <data>/handreset/keys.
    [[nodiscard]] static QString defaultFolder();
    explicit KeyFiles(QString folder = defaultFolder(), Hardness hardness = Hardness::moderate());

    /// Refused where there is a Present key already; a Next one, which nobody uses yet, is replaced.
    [[nodiscard]] rules::Result<void> seal(const KeyOwner &owner, const SecretKey &key, const Passphrase &passphrase,
                                           Which which = Which::Present) const;
    /// What the file says without the passphrase. NotFound where there is none; Unavailable for one that is damaged, of
    /// another owner, or within others' reach.
    [[nodiscard]] rules::Result<SealedKey> read(const KeyOwner &owner, Which which = Which::Present) const;
    /// As `read`; Refused for the wrong passphrase.
    [[nodiscard]] rules::Result<SecretKey> open(const KeyOwner &owner, const Passphrase &passphrase,
                                                Which which = Which::Present) const;
    /// Seals the present key anew. With `present` wrong nothing changes.
    [[nodiscard]] rules::Result<void> changePassphrase(const KeyOwner &owner, const Passphrase &present,
                                                       const Passphrase &next) const;
    /// The log has the next key: it takes the present one's place, which is gone then.
    [[nodiscard]] rules::Result<void> takeNext(const KeyOwner &owner) const;
    /// Operators of this store whose present key is here and can be read, in order.
    [[nodiscard]] std::vector<std::string> operatorsOf(std::string_view storeId) const;
    /// Where it is or would be, for words.
    [[nodiscard]] std::string pathOf(const KeyOwner &owner, Which which = Which::Present) const;

private:
    [[nodiscard]] QString folderOf(std::string_view storeId) const;

    QString m_folder;
    Hardness m_hardness;
};

} // namespace handreset::trust
