#include "app/ctl/signing.h"

#include "app/ctl/store_access.h"
#include "app/ctl/table.h"
#include "model/rules/sha256.h"

#include <QByteArray>
#include <QFile>

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <variant>

namespace handreset::ctl {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

/// One line of a file, without its end. The file may be /dev/stdin or a descriptor of the caller's.
Result<trust::Passphrase> passphraseIn(const std::string &path)
{
    QFile file(QFile::decodeName(QByteArray::fromStdString(path)));
    if (!file.open(QIODevice::ReadOnly))
        return Error{ErrorCode::BadInput, "the passphrase's file cannot be read: " + file.errorString().toStdString(),
                     path};
    constexpr qint64 kMost = 8192;
    QByteArray line = file.readLine(kMost);
    if (line.endsWith('\n'))
        line.chop(1);
    return trust::Passphrase::take(std::move(line));
}

} // namespace

trust::KeyFiles keyFilesOf(const Context &context)
{
    return context.keyFolder.isEmpty() ? trust::KeyFiles(trust::KeyFiles::defaultFolder(), context.hardness)
                                       : trust::KeyFiles(context.keyFolder, context.hardness);
}

Result<trust::Passphrase> passphraseFor(const Arguments &arguments, Context &context, std::string_view option,
                                        std::string_view prompt, Asked asked)
{
    if (const auto file = arguments.value(option))
        return passphraseIn(*file);
    if (!context.askPassphrase)
        return Error{ErrorCode::BadInput,
                     "there is no terminal to ask for the passphrase on; give it in a file: --" + std::string(option)
                         + " FILE",
                     {}};
    auto first = context.askPassphrase(std::string(prompt));
    if (!first || asked == Asked::Once)
        return first;
    auto second = context.askPassphrase("The same again");
    if (!second)
        return second;
    if (!std::ranges::equal(first->bytes(), second->bytes()))
        return Error{ErrorCode::BadInput, "the two passphrases are not the same; nothing was made", {}};
    return first;
}

Result<std::string> signingName(const Arguments &arguments, const Context &context, const std::string &storeId)
{
    if (const auto named = arguments.value("operator"))
        return *named;
    if (const char *named = std::getenv("HANDRESET_OPERATOR"); named != nullptr && *named != '\0')
        return std::string(named);
    const auto here = keyFilesOf(context).operatorsOf(storeId);
    if (here.size() == 1)
        return here.front();
    if (std::ranges::find(here, context.operatorName) != here.end())
        return context.operatorName;
    if (!here.empty())
        return Error{ErrorCode::BadInput, "several operators have keys here; name yourself: --operator NAME", {}};
    return Error{
        ErrorCode::Refused,
        "this store takes signed acts, and no operator's key for it is here. Make one: handresetctl operator key "
        "NAME; an approver then enrols it: handresetctl operator enrol NAME --key KEY",
        {}};
}

Result<std::shared_ptr<trust::Signer>> unlockedSigner(const Arguments &arguments, Context &context,
                                                      const std::string &storeId)
{
    if (context.signer && context.signer->seat().storeId == storeId)
        return context.signer;
    const auto name = signingName(arguments, context, storeId);
    if (!name)
        return name.error();
    const auto files = keyFilesOf(context);
    const trust::KeyOwner owner{storeId, *name};
    if (const auto there = files.read(owner); !there) // before anybody types a passphrase
        return there.error();
    const auto passphrase
        = passphraseFor(arguments, context, "passphrase-file", "Passphrase of " + visible(*name), Asked::Once);
    if (!passphrase)
        return passphrase.error();
    auto key = files.open(owner, *passphrase);
    if (!key)
        return key.error();
    context.signer = std::make_shared<trust::Signer>(std::move(*key), trust::SignerSeat::here(storeId, *name));
    return context.signer;
}

rules::Act boundTo(const rules::Fleet &fleet, rules::Act act)
{
    if (auto *rearm = std::get_if<rules::Rearm>(&act); rearm != nullptr && !rearm->revision) {
        const auto *trip = fleet.trip(rearm->trip);
        rearm->revision = trip != nullptr ? fleet.revisionOf(*trip) : rules::Revision{};
    }
    if (auto *apply = std::get_if<rules::ApplyPolicy>(&act); apply != nullptr && !apply->over)
        apply->over = fleet.policyVersion;
    return act;
}

Result<trust::SecretKey> newKey(const Arguments &arguments, Context &context, const trust::KeyOwner &owner,
                                trust::KeyFiles::Which which)
{
    const auto passphrase = passphraseFor(
        arguments, context, arguments.has("new-passphrase-file") ? "new-passphrase-file" : "passphrase-file",
        "New passphrase for the key of " + visible(owner.name), Asked::Twice);
    if (!passphrase)
        return passphrase.error();
    auto key = trust::SecretKey::generate();
    if (auto sealed = keyFilesOf(context).seal(owner, key, *passphrase, which); !sealed)
        return sealed.error();
    return key;
}

std::string keyText(const rules::PublicKey &key)
{
    return rules::toHex(key);
}

Result<rules::PublicKey> keyIn(const std::string &text)
{
    if (const auto key = rules::digestFromHex(text))
        return *key;
    return Error{ErrorCode::BadInput, "--key is the 64 hexadecimal digits that handresetctl operator key prints", {}};
}

} // namespace handreset::ctl
