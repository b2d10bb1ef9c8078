// The desk: hosts the store on a thread of its own and shows it. This file only wires concrete things together.
#include "app/desk/desk_host.h"
#include "app/desk/desk_options.h"
#include "app/desk/quit_on_signal.h"
#include "app/desk/screenshots.h"
#include "model/trust/no_core_files.h"
#include "views/desk_style.h"
#include "views/dialogs/fingerprint_dialog.h"
#include "views/dialogs/passphrase_dialog.h"
#include "views/empty_state.h"
#include "views/main_window.h"

#include <QApplication>
#include <QFileInfo>
#include <QScreen>

#include <cstdio>
#include <memory>
#include <optional>
#include <pwd.h>
#include <string_view>
#include <unistd.h>

namespace {

using namespace handreset;

constexpr int kWrongUse = 2;    // spec 8
constexpr int kUnreachable = 3; // spec 8

/// Who acts at this desk: the user of the machine.
[[nodiscard]] QString userName()
{
    const passwd *user = getpwuid(geteuid());
    return user ? QString::fromLocal8Bit(user->pw_name) : QString::number(geteuid());
}

void print(std::FILE *stream, const QString &words)
{
    std::fprintf(stream, "handreset: %s\n", qPrintable(words));
    std::fflush(stream);
}

/// True when a window can be shown, or none is needed: pictures and the help are drawn without a display. Asked before
/// Qt is, which would end the program with words for programmers.
[[nodiscard]] bool findDisplay(int argc, char **argv)
{
    if (!qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        return true;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument(argv[i]);
        if (argument.starts_with("--screenshots") || argument == "--help" || argument == "-h")
            return qputenv("QT_QPA_PLATFORM", "offscreen");
        if (argument.starts_with("-platform") || argument.starts_with("--platform"))
            return true;
    }
    return !qEnvironmentVariableIsEmpty("DISPLAY") || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
}

/// Everything that lives while the window does, in the order of its making.
struct Desk {
    std::unique_ptr<engine::Clock> clock;
    std::unique_ptr<desk::DeskHost> host;
    std::unique_ptr<live::DeskSession> session;
    std::unique_ptr<views::MainWindow> window;
    std::unique_ptr<QWidget> waiting; ///< what stands there until the store is open, or why it is not
};

/// The demo's play on its fake clock, all at once, before anything is shown.
[[nodiscard]] rules::Result<void> playDemo(Desk &desk)
{
    return demo::DemoFleet::runToEnd(desk.host->host(), static_cast<engine::FakeClock &>(*desk.clock), {});
}

/// No larger than the screen has room for, the window's frame included.
[[nodiscard]] QSize fitting(QSize wanted)
{
    constexpr QSize frame(16, 48);
    const QScreen *screen = QGuiApplication::primaryScreen();
    return screen ? wanted.boundedTo(screen->availableSize() - frame) : wanted;
}

void showLink(Desk &desk)
{
    const QString name = desk.host->linkName();
    if (!desk.session || name.isEmpty())
        return;
    const link::LinkState state = desk.host->linkState();
    desk.session->setLink({name, state.isUp, QString::fromStdString(state.trouble)});
}

/// What a host on another machine asks a person for: to compare its certificate, and the passphrase of one shift.
void askForNetwork(Desk &desk, desk::NetworkHost &network)
{
    QObject::connect(&network, &desk::NetworkHost::isUnknown, &network, [&](const QString &fingerprint) {
        auto *dialog = new views::FingerprintDialog(network.address(), fingerprint, desk.waiting.get());
        QObject::connect(dialog, &QDialog::accepted, &network, &desk::NetworkHost::accept,
                         Qt::QueuedConnection); // it may end the window that the dialogue belongs to
        QObject::connect(dialog, &QDialog::rejected, &network, &QApplication::quit);
        dialog->open();
    });
    QObject::connect(&network, &desk::NetworkHost::passphraseAsked, &network, [&] {
        QWidget *parent = desk.window ? static_cast<QWidget *>(desk.window.get()) : desk.waiting.get();
        if (parent->findChild<QDialog *>(QStringLiteral("shiftDialog")))
            return;
        const auto words = [](const char *text) { return QCoreApplication::translate("desk", text); };
        auto *dialog = new views::PassphraseDialog(words("Begin your shift"), words("Begin"), network.names(),
                                                   userName(), parent);
        dialog->setObjectName(QStringLiteral("shiftDialog"));
        dialog->addWords(
            words("Your key signs a pass with which this desk may look at %1 for 12 hours. Each act asks for "
                  "your signature besides.")
                .arg(network.address()));
        QObject::connect(dialog, &views::PassphraseDialog::tried, &network, &desk::NetworkHost::tryPassphrase);
        QObject::connect(&network, &desk::NetworkHost::refused, dialog, &views::PassphraseDialog::refused);
        QObject::connect(&network, &desk::NetworkHost::ready, dialog, &QDialog::accept);
        QObject::connect(&network, &desk::NetworkHost::failed, dialog, &QDialog::accept);
        QObject::connect(dialog, &QDialog::rejected, &network, [&] {
            if (!desk.window)
                QApplication::quit();
        });
        dialog->open();
    });
}

void showStore(QApplication &application, Desk &desk, const desk::DeskOptions &options, const QString &news)
{
    const bool pictures = !options.screenshots.isEmpty();
    if (pictures) {
        if (const auto played = playDemo(desk); !played) {
            print(stderr, QString::fromStdString(played.error().message));
            QApplication::exit(kUnreachable);
            return;
        }
    }
    const QString store = pictures ? QString() : desk.host->place();
    desk.session = std::make_unique<live::DeskSession>(desk.host->host(), *desk.clock,
                                                       pictures ? QStringLiteral("ana") : userName());
    desk.window = std::make_unique<views::MainWindow>(*desk.session, store);
    desk.window->resize(pictures ? options.screenshotSize : fitting(options.screenshotSize));
    showLink(desk);
    desk.session->start();
    if (!news.isEmpty()) {
        print(stdout, news);
        if (!pictures)
            desk.window->tell(news);
    }
    desk.window->show();
    desk.waiting.reset();
    if (!pictures)
        return;
    auto *shots
        = new desk::Screenshots(application, *desk.session, *desk.window, options.screenshots, desk.window.get());
    QObject::connect(shots, &desk::Screenshots::finished, desk.window.get(), [](const QString &trouble) {
        if (!trouble.isEmpty())
            print(stderr, trouble);
        QApplication::exit(trouble.isEmpty() ? 0 : kUnreachable);
    });
    shots->start();
}

void showTrouble(Desk &desk, const QString &why)
{
    print(stderr, why);
    if (desk.host->storePath().isEmpty()) {
        auto trouble = std::make_unique<views::EmptyState>(
            QCoreApplication::translate("desk", "The host cannot be followed"), why, QString());
        desk.waiting = std::move(trouble);
        desk.waiting->resize(760, 420);
        desk.waiting->show();
        return;
    }
    desk.waiting = std::make_unique<views::EmptyState>(
        QCoreApplication::translate("desk", "The store cannot be opened"), why,
        (QFileInfo::exists(desk.host->storePath()) ? QStringLiteral("handresetctl verify --store %1")
                                                    : QStringLiteral("handresetctl init --store %1"))
            .arg(desk.host->storePath()));
    desk.waiting->resize(760, 420);
    desk.waiting->show();
}

int run(QApplication &application, const desk::DeskOptions &options, views::Theme systemTheme)
{
    views::applyTheme(application, options.theme.value_or(systemTheme));
    Desk desk;
    if (options.screenshots.isEmpty())
        desk.clock = std::make_unique<engine::SystemClock>();
    else
        desk.clock = std::make_unique<engine::FakeClock>(engine::SystemClock().now().wall);
    desk.host = std::make_unique<desk::DeskHost>(*desk.clock, options, userName());
    QObject::connect(desk.host.get(), &desk::DeskHost::opened, &application,
                     [&](const QString &news) { showStore(application, desk, options, news); });
    if (auto *network = desk.host->network())
        askForNetwork(desk, *network);
    QObject::connect(desk.host.get(), &desk::DeskHost::linkChanged, &application, [&](bool isRefused) {
        showLink(desk);
        if (isRefused && desk.window) // as when a shift's twelve hours are over
            desk.host->renewShift();
    });
    bool refused = false;
    QObject::connect(desk.host.get(), &desk::DeskHost::failed, &application, [&](const QString &why) {
        refused = true;
        showTrouble(desk, why);
        if (!options.screenshots.isEmpty())
            QApplication::exit(kUnreachable);
    });
    QObject::connect(desk.host.get(), &desk::DeskHost::demoEnded, &application, [&] {
        if (desk.window)
            desk.window->tell(QCoreApplication::translate("desk", "The demo has ended. What tripped stays for you."));
    });
    QObject::connect(desk.host.get(), &desk::DeskHost::demoTold, &application, [&](const QString &text) {
        if (desk.window)
            desk.window->tell(text);
    });
    if (options.screenshots.isEmpty()) {
        desk.waiting = std::make_unique<views::EmptyState>(
            options.connect.isEmpty() ? QCoreApplication::translate("desk", "Opening the store")
                                      : QCoreApplication::translate("desk", "Meeting the host"),
            desk.host->place(), QString());
        desk.waiting->resize(760, 420);
        desk.waiting->show();
    }
    desk.host->openAsync();
    const int code = QApplication::exec();
    return refused ? kUnreachable : code;
}

} // namespace

int main(int argc, char **argv)
{
    trust::leaveNoCoreFiles();
    if (!findDisplay(argc, argv)) {
        print(stderr,
              QStringLiteral("there is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set); use "
                             "handresetctl, which does everything that the desk does."));
        return kUnreachable;
    }
    QApplication application(argc, argv);
    const desk::QuitOnSignal quitOnSignal;
    QApplication::setApplicationName(QStringLiteral("handreset"));
    QApplication::setApplicationDisplayName(QStringLiteral("Handreset"));
    QApplication::setApplicationVersion(QStringLiteral(HANDRESET_VERSION));
    const auto options = desk::readOptions(QApplication::arguments());
    if (!options) {
        print(stderr, QString::fromStdString(options.error().message));
        return kWrongUse;
    }
    if (!options->help.isEmpty()) {
        std::fputs(qPrintable(options->help), stdout);
        return 0;
    }
    return run(application, *options, views::systemTheme(application.palette()));
}
