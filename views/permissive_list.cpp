#include "views/permissive_list.h"

#include "views/plain_label.h"

#include <QGridLayout>

namespace handreset::views {

using rules::Met;

PermissiveList::PermissiveList(QWidget *parent) : QWidget(parent), m_grid(new QGridLayout(this))
{
    setObjectName(QStringLiteral("permissives"));
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(10);
    m_grid->setVerticalSpacing(3);
    m_grid->setColumnStretch(2, 1);
}

void PermissiveList::setPermissives(const std::vector<rules::Permissive> &permissives)
{
    if (permissives == m_shown)
        return;
    m_shown = permissives;
    while (m_lines.size() < permissives.size()) {
        const int row = static_cast<int>(m_lines.size());
        Line line{new PlainLabel(this), new PlainLabel(this), new PlainLabel(this)};
        line.sign->setFixedWidth(16);
        line.name->setMinimumWidth(190);
        m_grid->addWidget(line.sign, row, 0);
        m_grid->addWidget(line.name, row, 1);
        m_grid->addWidget(line.value, row, 2);
        m_lines.push_back(line);
    }
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        const bool used = i < permissives.size();
        for (PlainLabel *label : {m_lines[i].sign, m_lines[i].name, m_lines[i].value})
            label->setVisible(used);
        if (!used)
            continue;
        const rules::Permissive &p = permissives[i];
        const bool met = p.met == Met::Yes;
        m_lines[i].sign->setPlain(met ? QStringLiteral("✔") : p.met == Met::No ? QStringLiteral("✖") : QStringLiteral("?"));
        m_lines[i].sign->setLook(TextSize::Secondary, QFont::Bold, met ? Shade::Text : Shade::Open);
        m_lines[i].name->setPlain(QString::fromStdString(p.name));
        m_lines[i].name->setLook(TextSize::Secondary, met ? QFont::Normal : QFont::DemiBold, met ? Shade::Secondary : Shade::Text);
        QString value = QString::fromStdString(p.value);
        if (!p.limit.empty())
            value += QStringLiteral(" (") + QString::fromStdString(p.limit) + QLatin1Char(')');
        m_lines[i].value->setPlain(value);
        m_lines[i].value->setLook(TextSize::Secondary, QFont::Normal, met ? Shade::Secondary : Shade::Text);
        m_lines[i].name->setAccessibleName(
            QStringLiteral("%1: %2").arg(QString::fromStdString(p.name), QString::fromUtf8(rules::toWord(p.met).data())));
    }
}

} // namespace handreset::views
