#include "model/trust/root_pin.h"

#include "model/trust/private_folder.h"
#include "model/trust/text_fields.h"

#include <QDir>

#include <cstring>

namespace handreset::trust {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

constexpr const char *kWhat = "pin";
constexpr std::size_t kMostText = 1024;

std::string textOf(const RootPin &pin)
{
    return withCheckLine("handreset-pin 1\nstore " + pin.storeId + "\nroot " + toHex(pin.root) + "\n");
}

std::optional<RootPin> pinOf(std::string_view text)
{
    auto content = withoutCheckLine(text);
    if (!content || takeField(*content, "handreset-pin") != "1")
        return {};
    RootPin pin;
    pin.storeId = takeField(*content, "store").value_or(std::string_view());
    const auto root = fromHex(takeField(*content, "root").value_or(std::string_view()), pin.root.size());
    if (!root)
        return {};
    std::memcpy(pin.root.data(), root->data(), pin.root.size());
    if (textOf(pin) != text)
        return {};
    return pin;
}

Result<void> checkId(std::string_view storeId)
{
    if (!isStoreId(storeId))
        return Error{ErrorCode::BadInput, "a store's id has 32 hexadecimal digits", {}};
    return {};
}

} // namespace

QString stateFolder()
{
    // Qt 6.4 knows no folder of state. A relative one is no valid value (XDG Base Directory Specification).
    QString state = qEnvironmentVariable("XDG_STATE_HOME");
    if (!QDir::isAbsolutePath(state))
        state = QDir::homePath() + QStringLiteral("/.local/state");
    return state + QStringLiteral("/handreset");
}

QString pinFolder()
{
    QString chosen = qEnvironmentVariable("HANDRESET_PINS");
    if (!chosen.isEmpty())
        return chosen;
    return stateFolder() + QStringLiteral("/pins");
}

Result<std::optional<RootPin>> readPin(const QString &folder, std::string_view storeId)
{
    if (auto good = checkId(storeId); !good)
        return good.error();
    const auto place = PrivateFolder::open(folder, kWhat);
    if (!place && place.error().code == ErrorCode::NotFound)
        return std::optional<RootPin>();
    if (!place)
        return place.error();
    const std::string name(storeId);
    const auto text = place->read(name, kMostText);
    if (!text && text.error().code == ErrorCode::NotFound)
        return std::optional<RootPin>();
    if (!text)
        return text.error();
    const auto pin = pinOf(*text);
    if (!pin || pin->storeId != storeId)
        return Error{
            ErrorCode::Unavailable,
            "the pin of this store's first operator is damaged or of another store; put a copy in its place, or "
            "remove it when you have made sure whose key the store's first operator has",
            place->pathOf(name)};
    return std::optional<RootPin>(*pin);
}

Result<void> writePin(const QString &folder, const RootPin &pin, Replace replace)
{
    const auto present = readPin(folder, pin.storeId);
    if (!present)
        return present.error();
    if (*present && **present == pin)
        return {};
    const auto place = PrivateFolder::make(folder, kWhat);
    if (!place)
        return place.error();
    if (*present && replace == Replace::No)
        return Error{ErrorCode::Refused, "another key is pinned for the first operator of this store",
                     place->pathOf(pin.storeId)};
    return place->write(pin.storeId, textOf(pin), *present ? PrivateFolder::Replace::Yes : PrivateFolder::Replace::No);
}

} // namespace handreset::trust
