// For the gate's tests: the program itself with its log, and a service manager that writes down what it is told.
// Thread: the test's. Failure: qFatal, for a test without these has nothing to say.
#pragma once

#include <QByteArray>
#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>
#include <QtTest>

#include <cstddef>
#include <cstring>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <vector>

namespace handreset::tests {

/// The other end of NOTIFY_SOCKET.
class FakeManager {
public:
    enum class Kind { Path, Abstract };

    explicit FakeManager(Kind kind = Kind::Path)
    {
        m_address = m_folder.filePath(QStringLiteral("notify")).toUtf8();
        if (kind == Kind::Abstract)
            m_address.replace('/', '-').prepend('@');
        sockaddr_un where = {};
        where.sun_family = AF_UNIX;
        std::memcpy(where.sun_path, m_address.constData(), static_cast<std::size_t>(m_address.size()));
        if (kind == Kind::Abstract)
            where.sun_path[0] = '\0';
        m_socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        const auto size
            = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + static_cast<std::size_t>(m_address.size()));
        if (m_socket < 0 || ::bind(m_socket, reinterpret_cast<const sockaddr *>(&where), size) != 0)
            qFatal("the service manager's socket cannot be made");
    }
    ~FakeManager() { ::close(m_socket); }
    FakeManager(const FakeManager &) = delete;
    FakeManager &operator=(const FakeManager &) = delete;

    [[nodiscard]] QByteArray address() const { return m_address; }
    /// Every line that came, in order.
    const QList<QByteArray> &told()
    {
        char bytes[8192];
        for (ssize_t got = 0; (got = ::recv(m_socket, bytes, sizeof bytes, 0)) > 0;)
            m_told += QByteArray(bytes, got).split('\n');
        return m_told;
    }
    bool heard(const QByteArray &line) { return told().contains(line); }
    [[nodiscard]] qsizetype count(const QByteArray &line) { return told().count(line); }
    void forget()
    {
        told();
        m_told.clear();
    }

private:
    QTemporaryDir m_folder;
    QByteArray m_address;
    int m_socket = -1;
    QList<QByteArray> m_told;
};

/// handreset-gate as a process.
class GateProgram {
public:
    static constexpr int kLong = 60'000;

    explicit GateProgram(QStringList arguments = {}) : m_arguments(std::move(arguments))
    {
        m_environment = QProcessEnvironment::systemEnvironment();
        m_process.setStandardOutputFile(QProcess::nullDevice());
    }
    ~GateProgram()
    {
        if (m_process.state() != QProcess::NotRunning) {
            m_process.kill();
            m_process.waitForFinished(kLong);
        }
    }
    GateProgram(const GateProgram &) = delete;
    GateProgram &operator=(const GateProgram &) = delete;

    void set(const QString &name, const QByteArray &value) { m_environment.insert(name, QString::fromUtf8(value)); }
    void setManager(const FakeManager &manager, const QByteArray &watchdogMicros = {})
    {
        set(QStringLiteral("NOTIFY_SOCKET"), manager.address());
        if (!watchdogMicros.isEmpty())
            set(QStringLiteral("WATCHDOG_USEC"), watchdogMicros);
    }
    void start()
    {
        m_process.setProcessEnvironment(m_environment);
        m_process.start(QStringLiteral(HANDRESET_GATE), m_arguments);
        if (!m_process.waitForStarted(kLong))
            qFatal("handreset-gate cannot be started");
    }
    /// The exit code; -1 when it was killed or does not end.
    int finish()
    {
        if (m_process.state() != QProcess::NotRunning && !m_process.waitForFinished(kLong))
            return -1;
        return m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
    }
    /// As systemd ends it.
    int terminate()
    {
        m_process.terminate();
        return finish();
    }
    [[nodiscard]] QProcess &process() { return m_process; }
    [[nodiscard]] bool isRunning() const { return m_process.state() == QProcess::Running; }

    QByteArray err()
    {
        m_process.waitForReadyRead(0);
        m_err += m_process.readAllStandardError();
        return m_err;
    }
    /// Every whole line of the log; a line that is no JSON object comes as an empty one.
    std::vector<QJsonObject> log()
    {
        std::vector<QJsonObject> events;
        const auto lines = err().split('\n');
        for (qsizetype at = 0; at + 1 < lines.size(); ++at)
            events.push_back(QJsonDocument::fromJson(lines[at]).object());
        return events;
    }
    std::vector<QJsonObject> logged(const char *event)
    {
        auto events = log();
        std::erase_if(events, [event](const QJsonObject &one) {
            return one[QStringLiteral("event")].toString() != QLatin1String(event);
        });
        return events;
    }
    bool says(const char *event) { return !logged(event).empty(); }

private:
    QStringList m_arguments;
    QProcessEnvironment m_environment;
    QProcess m_process;
    QByteArray m_err;
};

} // namespace handreset::tests
