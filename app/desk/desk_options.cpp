#include "app/desk/desk_options.h"

#include "model/link/link_address.h"

#include <QCommandLineParser>

namespace handreset::desk {

namespace {

[[nodiscard]] rules::Error wrong(const QString &words)
{
    return {rules::ErrorCode::BadInput, words.toStdString(), {}};
}

[[nodiscard]] std::optional<views::Theme> themeNamed(const QString &name)
{
    if (name == QStringLiteral("dark"))
        return views::Theme::Dark;
    if (name == QStringLiteral("light"))
        return views::Theme::Light;
    if (name == QStringLiteral("high-contrast"))
        return views::Theme::HighContrast;
    return std::nullopt;
}

/// The address with the operators' usual port where it names none.
[[nodiscard]] QString withPort(const QString &address)
{
    const bool isV6 = address.startsWith(QLatin1Char('['));
    const bool hasPort = isV6 ? address.contains(QStringLiteral("]:")) : address.count(QLatin1Char(':')) == 1;
    return hasPort ? address : address + QStringLiteral(":7431");
}

} // namespace

rules::Result<DeskOptions> readOptions(const QStringList &arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("The on-call desk for AI agents. Hosts the store while it runs."));
    const QCommandLineOption help({QStringLiteral("h"), QStringLiteral("help")}, QStringLiteral("This text."));
    const QCommandLineOption store(QStringLiteral("store"), QStringLiteral("The store to open; else your own. handresetctl init makes one."),
                                   QStringLiteral("path"));
    const QCommandLineOption connect(
        QStringLiteral("connect"),
        QStringLiteral("Follow a host on another machine and act there, in place of a store here."),
        QStringLiteral("address:port"));
    const QCommandLineOption fingerprint(
        QStringLiteral("fingerprint"),
        QStringLiteral("The fingerprint of that host's certificate, as the host tells it."), QStringLiteral("AB:CD:…"));
    const QCommandLineOption host(
        QStringLiteral("host"),
        QStringLiteral("Host the store though handreset-gate has hosted it: only where the gate is "
                       "gone for good."));
    const QCommandLineOption demo(QStringLiteral("demo"),
                                  QStringLiteral("Let the demo fleet run; without --store in a passing store of its own."));
    const QCommandLineOption speed(QStringLiteral("demo-speed"),
                                   QStringLiteral("How much faster than life the demo runs, 1 to 1000."),
                                   QStringLiteral("factor"), QStringLiteral("1"));
    const QCommandLineOption screenshots(QStringLiteral("screenshots"),
                                         QStringLiteral("Draw every page, dark and light, into PNG files, and end."),
                                         QStringLiteral("folder"));
    const QCommandLineOption size(QStringLiteral("size"), QStringLiteral("The pictures' size, as 1440x900."),
                                  QStringLiteral("size"), QStringLiteral("1440x900"));
    const QCommandLineOption theme(QStringLiteral("theme"), QStringLiteral("dark, light or high-contrast; else the system's."),
                                   QStringLiteral("theme"));
    const QString alone
        = QStringLiteral("--connect goes with --fingerprint and --theme alone: the store is the host's.");
    parser.addOptions({help, store, connect, fingerprint, host, demo, speed, screenshots, size, theme});
    if (!parser.parse(arguments))
        return wrong(parser.errorText() + QStringLiteral(". See handreset --help."));
    if (!parser.positionalArguments().isEmpty())
        return wrong(QStringLiteral("%1 is not understood. See handreset --help.").arg(parser.positionalArguments().first()));
    DeskOptions options;
    if (parser.isSet(help))
        options.help = parser.helpText();
    options.store = parser.value(store);
    options.demo = parser.isSet(demo);
    if (parser.isSet(screenshots) && (parser.isSet(store) || parser.isSet(demo)))
        return wrong(QStringLiteral("--screenshots plays the demo in a passing store of its own; leave --store and --demo out."));
    options.screenshots = parser.value(screenshots);
    options.host = parser.isSet(host);
    options.fingerprint = parser.value(fingerprint);
    if (parser.isSet(connect)) {
        if (parser.isSet(store) || parser.isSet(demo) || parser.isSet(host) || parser.isSet(screenshots))
            return wrong(alone);
        options.connect = withPort(parser.value(connect));
        if (const auto place = link::addressIn(options.connect); !place)
            return wrong(QStringLiteral("--connect: %1").arg(QString::fromStdString(place.error().message)));
    }
    if (parser.isSet(fingerprint) && !parser.isSet(connect))
        return wrong(QStringLiteral("--fingerprint goes with --connect."));
    if (parser.isSet(fingerprint) && !link::fingerprintIn(options.fingerprint))
        return wrong(QStringLiteral("--fingerprint is 32 bytes in hexadecimal, as the host tells it."));
    bool isNumber = false;
    options.demoSpeed = parser.value(speed).toDouble(&isNumber);
    if (!isNumber || !(options.demoSpeed >= 1) || options.demoSpeed > 1'000)
        return wrong(QStringLiteral("--demo-speed is a number from 1 to 1000."));
    const QStringList sides = parser.value(size).split(QLatin1Char('x'));
    options.screenshotSize = sides.size() == 2 ? QSize(sides[0].toInt(), sides[1].toInt()) : QSize();
    if (options.screenshotSize.width() < 1'024 || options.screenshotSize.height() < 640
        || options.screenshotSize.width() > 7'680 || options.screenshotSize.height() > 4'320)
        return wrong(QStringLiteral("--size needs a width and a height from 1024x640 to 7680x4320."));
    if (parser.isSet(theme)) {
        options.theme = themeNamed(parser.value(theme));
        if (!options.theme)
            return wrong(QStringLiteral("--theme is dark, light or high-contrast."));
    }
    return options;
}

} // namespace handreset::desk
