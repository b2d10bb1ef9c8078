// What the desk is told on its command line. Plain values; any thread.
#pragma once

#include "model/rules/result.h"
#include "views/palette.h"

#include <QSize>
#include <QString>
#include <QStringList>

#include <optional>

namespace handreset::desk {

struct DeskOptions {
    QString store;            ///< empty: the user's own, or a passing one for a demo
    QString connect;          ///< "host:port" of a host on another machine; empty: the store
    QString fingerprint;      ///< of its certificate, as the person compared it; empty: the accepted one
    bool host = false;        ///< hosts the store though a gate has hosted it
    bool demo = false;
    double demoSpeed = 1;
    QString screenshots;      ///< the folder; empty: none
    QSize screenshotSize{1440, 900};
    std::optional<views::Theme> theme; ///< none: as the system wears
    QString help;             ///< set when only this text is wanted
};

/// Reads the arguments, the program's name first. BadInput names the wrong one and what is understood.
[[nodiscard]] rules::Result<DeskOptions> readOptions(const QStringList &arguments);

} // namespace handreset::desk
