#include "app/desk/quit_on_signal.h"

#include <QCoreApplication>
#include <QSocketNotifier>

#include <cerrno>
#include <csignal>
#include <sys/socket.h>
#include <unistd.h>

namespace handreset::desk {

namespace {

volatile std::sig_atomic_t writingEnd = -1;

extern "C" void tellOfSignal(int)
{
    const int before = errno;
    const char byte = 1;
    static_cast<void>(!::write(static_cast<int>(writingEnd), &byte, 1));
    errno = before;
}

} // namespace

QuitOnSignal::QuitOnSignal(QObject *parent) : QObject(parent)
{
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, m_ends.data()) != 0)
        return;
    writingEnd = m_ends[0];
    m_notifier = new QSocketNotifier(m_ends[1], QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, [this] {
        m_notifier->setEnabled(false);
        QCoreApplication::quit();
    });
    struct sigaction action = {};
    action.sa_handler = tellOfSignal;
    action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP})
        ::sigaction(signal, &action, nullptr);
}

QuitOnSignal::~QuitOnSignal()
{
    for (const int signal : {SIGTERM, SIGINT, SIGHUP})
        ::signal(signal, SIG_DFL);
    writingEnd = -1;
    for (const int end : m_ends) {
        if (end >= 0)
            ::close(end);
    }
}

} // namespace handreset::desk
