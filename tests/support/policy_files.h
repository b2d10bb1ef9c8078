// A policy for tests: from a text, or from a file. Tests only.
#pragma once

#include "model/rules/policy_text.h"

#include <QFile>
#include <QString>
#include <QtGlobal>

#include <memory>
#include <string>

namespace handreset::tests {

inline std::shared_ptr<const rules::Policy> policyFrom(const std::string &text)
{
    auto reading = rules::readPolicy(text, "test.toml");
    for (const auto &problem : reading.problems) {
        if (problem.severity == rules::Severity::Error)
            qFatal("%s", problem.toString().c_str());
    }
    return std::make_shared<const rules::Policy>(std::move(*reading.policy));
}

inline std::string textOf(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s cannot be read", qPrintable(path));
    return file.readAll().toStdString();
}

} // namespace handreset::tests
