// A titled card: the desk's one kind of panel. Its border says the state of what it shows; its ground stays plain.
// GUI thread; owned by its Qt parent.
#pragma once

#include "views/palette.h"

#include <QFrame>

class QHBoxLayout;
class QVBoxLayout;

namespace handreset::views {

class OrderLabel;
class PlainLabel;

class Card : public QFrame {
    Q_OBJECT

public:
    /// Without a title there is no title line at all until one is set.
    explicit Card(const QString &title = {}, QWidget *parent = nullptr);

    void setTitle(const QString &title);
    /// Secondary words at the right of the title line.
    void setCaption(const QString &caption);
    /// The number of a trip after the title; 0 for none.
    void setOrder(int order, const QString &word = {});
    /// The border: a hairline for Normal, else the tone's colour.
    void setTone(Tone tone);
    [[nodiscard]] Tone tone() const { return m_tone; }
    /// Hatches the whole card: what it shows is old. The caption should say how old.
    void setStale(bool stale);

    /// Where the content goes.
    [[nodiscard]] QVBoxLayout *body() const { return m_body; }
    /// The title line, for a button or a filter at its end.
    [[nodiscard]] QHBoxLayout *titleLine() const { return m_titleLine; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void showTitleLine();

    QHBoxLayout *m_titleLine = nullptr;
    QVBoxLayout *m_body = nullptr;
    PlainLabel *m_title = nullptr;
    OrderLabel *m_order = nullptr;
    PlainLabel *m_orderWord = nullptr;
    PlainLabel *m_caption = nullptr;
    Tone m_tone = Tone::Normal;
    bool m_stale = false;
};

} // namespace handreset::views
