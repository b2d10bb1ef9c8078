// Where the recorded runs of real agents stand beside this project; they are no part of it. Tests only.
#pragma once

#include <QFileInfo>
#include <QString>

namespace handreset::tests {

/// The path of a file of the shared data; empty where it is not there. HANDRESET_SHARED names the folder, else it is
/// `shared` beside the source.
inline QString sharedFile(const QString &name)
{
    const auto named = qEnvironmentVariable("HANDRESET_SHARED");
    const auto folder = named.isEmpty() ? QStringLiteral(HANDRESET_SOURCE_DIR "/../shared") : named;
    const QFileInfo file(folder + u'/' + name);
    return file.isFile() ? file.absoluteFilePath() : QString();
}

} // namespace handreset::tests
