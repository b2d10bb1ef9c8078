// The passphrase that an operator's key is sealed with. Thread: any; one object belongs to one thread at a time.
// Ownership: can be moved, never copied; wiped when it goes.
#pragma once

#include "model/rules/result.h"
#include "model/trust/secret_bytes.h"

#include <QByteArray>
#include <QString>

namespace handreset::trust {

class Passphrase {
public:
    static constexpr int kFewestCharacters = 8;
    static constexpr int kMostCharacters = 1024;

    /// BadInput, which repeats nothing of it, for fewer or more characters than these, for what is no text, and for
    /// a line feed or a zero in it, which no prompt can give back. The same text typed in another way (an accent as a
    /// mark of its own) is the same passphrase: Unicode's form NFC.
    ///
    /// What is given is wiped, unless somebody else holds the same text too.
    [[nodiscard]] static rules::Result<Passphrase> take(QString &&text);
    /// As above, from UTF-8.
    [[nodiscard]] static rules::Result<Passphrase> take(QByteArray &&utf8);

    [[nodiscard]] std::span<const unsigned char> bytes() const noexcept { return m_bytes.span(); }

private:
    Passphrase() = default;

    SecretBytes m_bytes; ///< UTF-8
};

} // namespace handreset::trust
