// Ends the program as closing its window would, when the system asks it to: the host writes what it has, and a passing
// store goes. One for a process, on the GUI thread. Failure: without it the signals end the process at once, as usual.
#pragma once

#include <QObject>

#include <array>

class QSocketNotifier;

namespace handreset::desk {

class QuitOnSignal : public QObject {
    Q_OBJECT

public:
    /// SIGTERM, SIGINT and SIGHUP quit the application from now on; a second one ends the process at once.
    explicit QuitOnSignal(QObject *parent = nullptr);
    ~QuitOnSignal() override;

private:
    std::array<int, 2> m_ends{-1, -1}; ///< of a pair of sockets: a handler may do little more than write to one
    QSocketNotifier *m_notifier = nullptr;
};

} // namespace handreset::desk
