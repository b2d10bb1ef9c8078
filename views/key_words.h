// What the desk says of the operator's key and role. Pure functions; GUI thread.
#pragma once

#include <QString>

namespace handreset::live {
class DeskSession;
}

namespace handreset::views {

struct KeyWords {
    QString whole; ///< "key unlocked, 4:12 left"; empty: acts are not signed here
    QString brief; ///< "unlocked 4:12"
    QString help;  ///< what a click does, or what to do where there is no key
};

[[nodiscard]] KeyWords keyWords(const live::DeskSession &session);
/// "no key for this store here; …".
[[nodiscard]] QString noKeyWords();
/// "approver"; "not enrolled"; "retired".
[[nodiscard]] QString roleWords(const live::DeskSession &session);

} // namespace handreset::views
