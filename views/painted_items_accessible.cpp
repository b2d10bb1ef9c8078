#include "views/painted_items_accessible.h"

#include "views/painted_items.h"

#include <map>

#include <QAccessibleWidget>
#include <QPointer>

namespace handreset::views {

namespace {

/// One item. It outlives nothing: once the widget is gone or the item's index is, it says that it is invalid.
class ItemAccessible : public QAccessibleInterface, public QAccessibleActionInterface {
public:
    ItemAccessible(PaintedItems *items, int item)
        : m_items(items)
        , m_item(item)
    {
    }

    bool isValid() const override { return m_items && m_item < m_items->itemCount(); }
    QObject *object() const override { return nullptr; }
    QAccessibleInterface *parent() const override { return QAccessible::queryAccessibleInterface(m_items); }
    QAccessibleInterface *child(int) const override { return nullptr; }
    QAccessibleInterface *childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface *) const override { return -1; }
    QWindow *window() const override { return m_items ? m_items->window()->windowHandle() : nullptr; }
    void setText(QAccessible::Text, const QString &) override {}

    QString text(QAccessible::Text kind) const override
    {
        if (!isValid())
            return {};
        if (kind == QAccessible::Name)
            return m_items->itemName(m_item);
        return kind == QAccessible::Description ? m_items->itemDetails(m_item).join(QStringLiteral("; ")) : QString();
    }

    QRect rect() const override
    {
        if (!isValid())
            return {};
        const QRect local = m_items->itemRect(m_item).toAlignedRect();
        return {m_items->mapToGlobal(local.topLeft()), local.size()};
    }

    QAccessible::Role role() const override
    {
        return isValid() && m_items->isItemActivatable(m_item) ? QAccessible::Button : QAccessible::StaticText;
    }

    QAccessible::State state() const override
    {
        QAccessible::State state;
        if (!isValid()) {
            state.invalid = true;
            return state;
        }
        state.focusable = true;
        state.focused = m_items->hasFocus() && m_items->focusedItem() == m_item;
        state.disabled = !m_items->isEnabled();
        state.invisible = !m_items->isVisible();
        return state;
    }

    void *interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface *>(this) : nullptr;
    }

    QStringList actionNames() const override
    {
        return isValid() && m_items->isItemActivatable(m_item) ? QStringList{pressAction(), setFocusAction()}
                                                               : QStringList{setFocusAction()};
    }

    void doAction(const QString &name) override
    {
        if (!isValid())
            return;
        if (name == pressAction()) {
            m_items->activate(m_item);
        } else if (name == setFocusAction()) {
            m_items->setFocus(Qt::OtherFocusReason);
            m_items->setFocusedItem(m_item);
        }
    }

    QStringList keyBindingsForAction(const QString &) const override { return {}; }

private:
    QPointer<PaintedItems> m_items;
    int m_item;
};

class PaintedItemsAccessible : public QAccessibleWidget {
public:
    explicit PaintedItemsAccessible(PaintedItems *items)
        : QAccessibleWidget(items, QAccessible::Grouping, items->accessibleName())
    {
    }

    ~PaintedItemsAccessible() override
    {
        for (const auto &[item, id] : m_ids)
            QAccessible::deleteAccessibleInterface(id);
    }

    int childCount() const override { return items()->itemCount(); }

    QAccessibleInterface *child(int item) const override
    {
        if (item < 0 || item >= childCount())
            return nullptr;
        const auto found = m_ids.find(item);
        if (found != m_ids.end())
            return QAccessible::accessibleInterface(found->second);
        auto *made = new ItemAccessible(items(), item); // Qt's cache owns it until we delete its id
        m_ids.emplace(item, QAccessible::registerAccessibleInterface(made));
        return made;
    }

    int indexOfChild(const QAccessibleInterface *child) const override
    {
        for (const auto &[item, id] : m_ids) {
            if (QAccessible::accessibleInterface(id) == child)
                return item;
        }
        return -1;
    }

    QAccessibleInterface *childAt(int x, int y) const override
    {
        return child(items()->itemAt(items()->mapFromGlobal(QPoint(x, y))));
    }

    QAccessibleInterface *focusChild() const override
    {
        return items()->hasFocus() ? child(items()->focusedItem()) : nullptr;
    }

private:
    PaintedItems *items() const { return static_cast<PaintedItems *>(widget()); }

    mutable std::map<int, QAccessible::Id> m_ids;
};

QAccessibleInterface *paintedItemsFactory(const QString &, QObject *object)
{
    auto *items = qobject_cast<PaintedItems *>(object);
    return items == nullptr ? nullptr : new PaintedItemsAccessible(items);
}

} // namespace

void installPaintedItemsAccessibility()
{
    QAccessible::installFactory(paintedItemsFactory);
}

} // namespace handreset::views
