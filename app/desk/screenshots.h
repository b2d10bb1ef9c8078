// Draws every page, dark and light, into PNG files, step by step from the event loop, and ends. GUI thread; owned by its
// Qt parent; session and window outlive it.
#pragma once

#include "model/live/desk_session.h"
#include "views/main_window.h"

#include <QObject>
#include <QString>

#include <functional>
#include <vector>

class QApplication;

namespace handreset::desk {

class Screenshots : public QObject {
    Q_OBJECT

public:
    Screenshots(QApplication &application, live::DeskSession &session, views::MainWindow &window, QString folder,
                QObject *parent = nullptr);

    void start();

Q_SIGNALS:
    /// `trouble` is empty when all were written.
    void finished(const QString &trouble);

private:
    void plan();
    void planTheme(const QString &theme);
    void next();
    void save(const QString &name);
    /// The agent with the most trips: there is most to see of it.
    [[nodiscard]] rules::AgentId busiest() const;

    QApplication &m_application;
    live::DeskSession &m_session;
    views::MainWindow &m_window;
    QString m_folder;
    QString m_trouble;
    std::vector<std::function<void()>> m_steps;
    std::size_t m_next = 0;
};

} // namespace handreset::desk
