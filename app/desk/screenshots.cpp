#include "app/desk/screenshots.h"

#include "views/desk_style.h"

#include <QApplication>
#include <QDialog>
#include <QDir>
#include <QPainter>
#include <QPixmap>
#include <QTimer>

#include <chrono>
#include <utility>

namespace handreset::desk {

using views::MainWindow;

namespace {

/// Long enough for a publication and a repaint; nothing waits for it but the next picture.
constexpr std::chrono::milliseconds kSettle{350};

} // namespace

Screenshots::Screenshots(QApplication &application, live::DeskSession &session, MainWindow &window, QString folder,
                         QObject *parent)
    : QObject(parent), m_application(application), m_session(session), m_window(window), m_folder(std::move(folder))
{
}

void Screenshots::start()
{
    if (!QDir().mkpath(m_folder)) {
        Q_EMIT finished(tr("the folder %1 cannot be made").arg(m_folder));
        return;
    }
    plan();
    QTimer::singleShot(kSettle * 2, this, &Screenshots::next);
}

void Screenshots::plan()
{
    planTheme(QStringLiteral("dark"));
    planTheme(QStringLiteral("light"));
}

void Screenshots::planTheme(const QString &theme)
{
    const auto page = [this, theme](int index, const QString &name) {
        m_steps.push_back([this, index] { m_window.goTo(index); });
        m_steps.push_back([this, name, theme] { save(name + QLatin1Char('_') + theme); });
    };
    m_steps.push_back([this, theme] {
        views::applyTheme(m_application, theme == QStringLiteral("dark") ? views::Theme::Dark : views::Theme::Light);
    });
    page(MainWindow::Board, QStringLiteral("board"));
    page(MainWindow::Trips, QStringLiteral("trips"));
    m_steps.push_back([this] {
        if (busiest())
            m_window.openSubject({.agent = busiest(), .breaker = {}});
        else
            m_window.goTo(MainWindow::Subject);
    });
    m_steps.push_back([this, theme] { save(QStringLiteral("subject_") + theme); });
    page(MainWindow::Queue, QStringLiteral("queue"));
    page(MainWindow::Events, QStringLiteral("events"));
    page(MainWindow::Requests, QStringLiteral("requests"));
    page(MainWindow::Audit, QStringLiteral("audit"));
    m_steps.push_back([this] {
        m_window.goTo(MainWindow::Subject);
        if (busiest())
            m_window.openRearm(busiest(), {});
    });
    m_steps.push_back([this, theme] {
        if (auto *dialog = m_window.findChild<QDialog *>(QStringLiteral("rearmDialog"))) {
            save(QStringLiteral("rearm_") + theme);
            dialog->close();
        }
    });
}

void Screenshots::next()
{
    if (m_next == m_steps.size() || !m_trouble.isEmpty()) {
        Q_EMIT finished(m_trouble);
        return;
    }
    if (m_session.focus().isSet() && !m_session.subject()) { // the detail is still on its way
        QTimer::singleShot(kSettle, this, &Screenshots::next);
        return;
    }
    m_steps[m_next++]();
    QTimer::singleShot(kSettle, this, &Screenshots::next);
}

void Screenshots::save(const QString &name)
{
    QPixmap picture = m_window.grab();
    if (auto *dialog = m_window.findChild<QDialog *>(QStringLiteral("rearmDialog")); dialog && dialog->isVisible()) {
        const QPixmap panel = dialog->grab();
        QPainter painter(&picture);
        painter.fillRect(picture.rect(), QColor(0, 0, 0, 120));
        const QPoint corner((m_window.width() - dialog->width()) / 2, (m_window.height() - dialog->height()) / 2);
        painter.drawPixmap(corner, panel);
        painter.setPen(dialog->palette().color(QPalette::Mid));
        painter.drawRect(QRect(corner, dialog->size()));
    }
    const QString path = QDir(m_folder).filePath(name + QStringLiteral(".png"));
    if (!picture.save(path))
        m_trouble = tr("%1 cannot be written").arg(path);
}

rules::AgentId Screenshots::busiest() const
{
    const live::AgentModel &agents = m_session.agents();
    rules::AgentId best;
    std::size_t most = 0;
    for (int row = 0; row < agents.rowCount(); ++row) {
        if (agents.rowAt(row).trips.size() > most) {
            most = agents.rowAt(row).trips.size();
            best = agents.rowAt(row).id;
        }
    }
    return best;
}

} // namespace handreset::desk
