// Who acts at the command line, and their signature: which operator's key is at hand, its passphrase, and the act under
// it. Thread: the main thread's. Failure: an Error that says which key is missing and how to get one; a passphrase
// stands in no message.
#pragma once

#include "app/ctl/output.h"
#include "model/rules/command.h"
#include "model/rules/fleet.h"
#include "model/trust/key_file.h"
#include "model/trust/signer.h"

#include <memory>
#include <string>
#include <string_view>

namespace handreset::ctl {

[[nodiscard]] trust::KeyFiles keyFilesOf(const Context &context);

/// The passphrase: from the file of this option where it was given, else asked for on the terminal, twice for a new one.
enum class Asked : std::uint8_t { Once, Twice };
[[nodiscard]] rules::Result<trust::Passphrase> passphraseFor(const Arguments &arguments, Context &context,
                                                             std::string_view option, std::string_view prompt,
                                                             Asked asked);

/// The name to sign with: --operator, $HANDRESET_OPERATOR, the only key at hand, the person's own.
[[nodiscard]] rules::Result<std::string> signingName(const Arguments &arguments, const Context &context,
                                                     const std::string &storeId);
/// Unlocks that operator's key for this run; asked again, it is the same.
[[nodiscard]] rules::Result<std::shared_ptr<trust::Signer>> unlockedSigner(const Arguments &arguments, Context &context,
                                                                           const std::string &storeId);

/// The act bound to what this fleet shows: a re-arm to its agent's revision, a policy to the version in force.
[[nodiscard]] rules::Act boundTo(const rules::Fleet &fleet, rules::Act act);

/// Makes a key for this operator of this store and seals it; its public half.
[[nodiscard]] rules::Result<trust::SecretKey> newKey(const Arguments &arguments, Context &context,
                                                     const trust::KeyOwner &owner, trust::KeyFiles::Which which);

/// 64 hexadecimal digits, and back.
[[nodiscard]] std::string keyText(const rules::PublicKey &key);
[[nodiscard]] rules::Result<rules::PublicKey> keyIn(const std::string &text);

} // namespace handreset::ctl
