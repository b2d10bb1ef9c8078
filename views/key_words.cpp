#include "views/key_words.h"

#include "model/live/desk_session.h"

#include <QCoreApplication>

namespace handreset::views {

namespace {

[[nodiscard]] QString tr(const char *text)
{
    return QCoreApplication::translate("KeyWords", text);
}

/// "4:12".
[[nodiscard]] QString minutesAndSeconds(rules::Duration left)
{
    const qint64 seconds = (left.micros + 999'999) / 1'000'000;
    return QStringLiteral("%1:%2").arg(seconds / 60).arg(seconds % 60, 2, 10, QLatin1Char('0'));
}

} // namespace

QString noKeyWords()
{
    return tr("No key of yours for this store lies here, so you can look but not act. An approver enrols you, or you "
              "the first operator: handresetctl operator enrol NAME --role ROLE");
}

QString roleWords(const live::DeskSession &session)
{
    const live::OperatorRow *who = session.operators().named(session.operatorName());
    if (!who)
        return tr("not enrolled");
    return who->isActive ? QString::fromUtf8(rules::toWord(who->role).data()) : tr("retired");
}

KeyWords keyWords(const live::DeskSession &session)
{
    using State = live::OperatorKey::State;
    if (!session.operators().isSigned)
        return {};
    const live::OperatorKey &key = session.key();
    switch (key.state()) {
    case State::None:
        return {tr("no key here"), tr("no key"), noKeyWords()};
    case State::Locked:
        return {tr("key locked"), tr("locked"),
                tr("Your key is locked: an act asks for its passphrase. Click or Ctrl+L: unlock it now")};
    case State::Opening:
        return {tr("key: trying…"), tr("trying…"), tr("The passphrase is being tried")};
    case State::Unlocked:
        break;
    }
    const QString left = minutesAndSeconds(key.left());
    if (key.isForOneAct())
        return {tr("key unlocked for one act"), tr("for one act"),
                tr("The policy lets it sign one act. Click or Ctrl+L: lock it")};
    return {tr("key unlocked, %1 left").arg(left), tr("unlocked %1").arg(left),
            tr("Acts are signed without asking. Click or Ctrl+L: lock it now")};
}

} // namespace handreset::views
