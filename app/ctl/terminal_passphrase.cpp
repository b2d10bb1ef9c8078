#include "app/ctl/terminal_passphrase.h"

#include <QByteArray>

#include <fcntl.h>
#include <termios.h>
#include <unistd.h>
#include <utility>

namespace handreset::ctl {

namespace {

using rules::Error;
using rules::ErrorCode;

/// The terminal shows nothing while this lives.
class Silence {
public:
    explicit Silence(int terminal) : m_terminal(terminal), m_isSet(tcgetattr(terminal, &m_before) == 0)
    {
        if (!m_isSet)
            return;
        auto silent = m_before;
        silent.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        static_cast<void>(tcsetattr(terminal, TCSAFLUSH, &silent));
    }
    ~Silence()
    {
        if (m_isSet)
            static_cast<void>(tcsetattr(m_terminal, TCSAFLUSH, &m_before));
    }
    Silence(const Silence &) = delete;
    Silence &operator=(const Silence &) = delete;

private:
    int m_terminal;
    termios m_before{};
    bool m_isSet;
};

void say(int terminal, const std::string &text)
{
    static_cast<void>(!::write(terminal, text.data(), text.size()));
}

} // namespace

rules::Result<trust::Passphrase> askOnTerminal(const std::string &prompt)
{
    const int terminal = ::open("/dev/tty", O_RDWR | O_CLOEXEC);
    if (terminal < 0)
        return Error{ErrorCode::BadInput,
                     "there is no terminal to ask for the passphrase on; give it in a file: --passphrase-file FILE",
                     {}};
    QByteArray line;
    bool isWhole = false;
    {
        const Silence silence(terminal);
        say(terminal, prompt + ": ");
        line.reserve(8192); // one place in memory, which is wiped
        char c = 0;
        while (line.size() < 8000 && ::read(terminal, &c, 1) == 1) {
            isWhole = c == '\n';
            if (isWhole)
                break;
            line.append(c);
        }
    }
    say(terminal, "\n");
    ::close(terminal);
    if (!isWhole) {
        line.fill('\0');
        return Error{ErrorCode::Cancelled, "no passphrase was given; nothing was done", {}};
    }
    return trust::Passphrase::take(std::move(line));
}

} // namespace handreset::ctl
