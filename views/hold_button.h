// A button that acts only when it was held: press, wait until it is full, release. Enter, a click, and a key that
// repeats by itself do nothing. GUI thread; owned by its Qt parent.
#pragma once

#include <functional>

#include <QAbstractButton>
#include <QTimer>

namespace handreset::views {

class HoldButton : public QAbstractButton {
    Q_OBJECT

public:
    /// How long it must be held (console, "Re-arm" 3).
    static constexpr qint64 kHoldMs = 1'500;
    /// Milliseconds that only rise; tests give their own.
    using Clock = std::function<qint64()>;

    explicit HoldButton(const QString &text, QWidget *parent = nullptr, Clock clock = {});

    /// 0 while it is not held, 1 when it may be released.
    [[nodiscard]] double progress() const;
    [[nodiscard]] bool isHeld() const { return m_heldBy != HeldBy::Nothing; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    /// Released after a full hold: the one signal to act on. `clicked` is never emitted by mouse or key.
    void confirmed();
    /// Let go too early, or the pointer, the focus or the window went away.
    void cancelled();

protected:
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void keyReleaseEvent(QKeyEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    enum class HeldBy { Nothing, Mouse, Key };

    void hold(HeldBy by);
    void letGo();
    void cancel();

    Clock m_clock;
    QTimer m_repaint;
    QTimer m_release; ///< runs between a release of the key and the end of the hold
    HeldBy m_heldBy = HeldBy::Nothing;
    qint64 m_since = 0;
};

} // namespace handreset::views
