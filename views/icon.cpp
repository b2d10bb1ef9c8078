#include "views/icon.h"

#include <algorithm>

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QSvgRenderer>

/// Must stand outside every namespace; the icons are compiled into this static library.
static void initIconResource()
{
    Q_INIT_RESOURCE(icons);
}

namespace handreset::views {

namespace {

QByteArray svgOf(const QString &name, const QColor &ink)
{
    initIconResource();
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return file.readAll().replace(QByteArrayLiteral("currentColor"), ink.name().toLatin1());
}

class InkEngine : public QIconEngine {
public:
    InkEngine(QString name, const QColor &ink, const QColor &disabled)
        : m_name(std::move(name))
        , m_ink(ink)
        , m_disabled(disabled)
    {
    }

    void paint(QPainter *painter, const QRect &rect, QIcon::Mode mode, QIcon::State) override
    {
        QSvgRenderer svg(svgOf(m_name, mode == QIcon::Disabled ? m_disabled : m_ink));
        const double side = std::min(rect.width(), rect.height());
        if (svg.isValid())
            svg.render(painter, QRectF(rect.x() + (rect.width() - side) / 2, rect.y() + (rect.height() - side) / 2, side, side));
    }

    QPixmap pixmap(const QSize &size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }

    [[nodiscard]] QIconEngine *clone() const override { return new InkEngine(m_name, m_ink, m_disabled); }

private:
    QString m_name;
    QColor m_ink;
    QColor m_disabled;
};

} // namespace

QPixmap iconPixmap(const QString &name, const QColor &ink, int side, double devicePixelRatio)
{
    QSvgRenderer svg(svgOf(name, ink));
    if (!svg.isValid())
        return {};
    QPixmap pixmap(QSize(side, side) * devicePixelRatio);
    pixmap.setDevicePixelRatio(devicePixelRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    svg.render(&painter, QRectF(0, 0, side, side));
    return pixmap;
}

QIcon themedIcon(const QString &name, const QColor &ink, const QColor &disabled)
{
    return QIcon(new InkEngine(name, ink, disabled));
}

} // namespace handreset::views
