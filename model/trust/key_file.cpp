#include "model/trust/key_file.h"

#include "model/trust/text_fields.h"

#include <QStandardPaths>

#include <algorithm>
#include <utility>

namespace handreset::trust {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

constexpr std::string_view kSuffix = ".key";
constexpr const char *kWhat = "key";

/// A name has no dot after `fileNameFor`, so nobody's present key has the name of another's next one.
std::string nameOf(const KeyOwner &owner, KeyFiles::Which which)
{
    return fileNameFor(owner.name) + (which == KeyFiles::Which::Next ? ".next" : "") + std::string(kSuffix);
}

Error at(Error error, std::string path)
{
    if (error.context.empty())
        error.context = std::move(path);
    return error;
}

} // namespace

QString KeyFiles::defaultFolder()
{
    QString chosen = qEnvironmentVariable("HANDRESET_KEYS");
    if (!chosen.isEmpty())
        return chosen;
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + QStringLiteral("/handreset/keys");
}

KeyFiles::KeyFiles(QString folder, Hardness hardness) : m_folder(std::move(folder)), m_hardness(hardness) {}

QString KeyFiles::folderOf(std::string_view storeId) const
{
    return m_folder + QLatin1Char('/') + QString::fromUtf8(storeId.data(), static_cast<qsizetype>(storeId.size()));
}

std::string KeyFiles::pathOf(const KeyOwner &owner, Which which) const
{
    return folderOf(owner.storeId).toStdString() + "/" + nameOf(owner, which);
}

Result<void> KeyFiles::seal(const KeyOwner &owner, const SecretKey &key, const Passphrase &passphrase,
                            Which which) const
{
    if (auto good = checkOwner(owner); !good)
        return good;
    // Both folders are looked at: who could enter the upper one could swap the lower one.
    if (const auto above = PrivateFolder::make(m_folder, kWhat); !above)
        return above.error();
    const auto folder = PrivateFolder::make(folderOf(owner.storeId), kWhat);
    if (!folder)
        return folder.error();
    const auto text = sealKey(key, passphrase, owner, m_hardness);
    if (!text)
        return at(text.error(), pathOf(owner, which));
    return folder->write(nameOf(owner, which), *text,
                         which == Which::Next ? PrivateFolder::Replace::Yes : PrivateFolder::Replace::No);
}

Result<SealedKey> KeyFiles::read(const KeyOwner &owner, Which which) const
{
    if (auto good = checkOwner(owner); !good)
        return good.error();
    const auto path = pathOf(owner, which);
    const auto missing = [&path] {
        return Error{ErrorCode::NotFound,
                     "there is no key of this operator for this store here; `handresetctl operator enrol` makes one",
                     path};
    };
    for (const auto &place : {m_folder, folderOf(owner.storeId)}) {
        if (const auto folder = PrivateFolder::open(place, kWhat); !folder)
            return folder.error().code == ErrorCode::NotFound ? missing() : folder.error();
    }
    const auto folder = PrivateFolder::open(folderOf(owner.storeId), kWhat);
    if (!folder)
        return folder.error();
    const auto text = folder->read(nameOf(owner, which), kMostSealedText);
    if (!text)
        return text.error().code == ErrorCode::NotFound ? missing() : text.error();
    auto sealed = readSealedKey(*text);
    if (!sealed)
        return at(sealed.error(), path);
    if (sealed->owner != owner)
        return Error{ErrorCode::Unavailable,
                     "the key file is of another operator or another store; put the right one in its place", path};
    return sealed;
}

Result<SecretKey> KeyFiles::open(const KeyOwner &owner, const Passphrase &passphrase, Which which) const
{
    const auto sealed = read(owner, which);
    if (!sealed)
        return sealed.error();
    auto key = openKey(*sealed, passphrase);
    if (!key)
        return at(key.error(), pathOf(owner, which));
    return key;
}

Result<void> KeyFiles::changePassphrase(const KeyOwner &owner, const Passphrase &present, const Passphrase &next) const
{
    const auto key = open(owner, present);
    if (!key)
        return key.error();
    const auto text = sealKey(*key, next, owner, m_hardness);
    if (!text)
        return at(text.error(), pathOf(owner));
    const auto folder = PrivateFolder::open(folderOf(owner.storeId), kWhat);
    if (!folder)
        return folder.error();
    return folder->write(nameOf(owner, Which::Present), *text, PrivateFolder::Replace::Yes);
}

Result<void> KeyFiles::takeNext(const KeyOwner &owner) const
{
    if (const auto next = read(owner, Which::Next); !next)
        return next.error();
    const auto folder = PrivateFolder::open(folderOf(owner.storeId), kWhat);
    if (!folder)
        return folder.error();
    return folder->rename(nameOf(owner, Which::Next), nameOf(owner, Which::Present));
}

std::vector<std::string> KeyFiles::operatorsOf(std::string_view storeId) const
{
    std::vector<std::string> operators;
    if (!isStoreId(storeId))
        return operators;
    const auto folder = PrivateFolder::open(folderOf(storeId), kWhat);
    if (!folder)
        return operators;
    for (const auto &name : folder->names()) {
        if (!name.ends_with(kSuffix) || name.find('.') != name.size() - kSuffix.size())
            continue;
        const auto text = folder->read(name, kMostSealedText);
        const auto sealed = text ? readSealedKey(*text) : Result<SealedKey>(text.error());
        if (sealed && sealed->owner.storeId == storeId && nameOf(sealed->owner, Which::Present) == name)
            operators.push_back(sealed->owner.name);
    }
    std::sort(operators.begin(), operators.end());
    return operators;
}

} // namespace handreset::trust
