// A store's file in the making: under another name until it is whole, then put in place beside its mark and sentinel
// without ever replacing anything. Internal to model/store.
#pragma once

#include "model/store/mark.h"

#include <QString>

namespace handreset::store {

class NewStoreFile {
public:
    /// Makes an empty file for its user alone. Refuses when the target, its mark, its sentinel or its WAL exists. What
    /// processes that are no more had begun for this target is taken away first.
    [[nodiscard]] static rules::Result<std::unique_ptr<NewStoreFile>> begin(const QString &target);
    ~NewStoreFile(); ///< takes away what was not finished
    NewStoreFile(const NewStoreFile &) = delete;
    NewStoreFile &operator=(const NewStoreFile &) = delete;

    /// Where to write to.
    [[nodiscard]] QString path() const { return m_path; }
    /// Mark, sentinel, then the file itself; all synced. It must be closed.
    [[nodiscard]] rules::Result<void> finish(const MarkState &mark);

private:
    NewStoreFile(QString target, QString path) : m_target(std::move(target)), m_path(std::move(path)) {}

    QString m_target;
    QString m_path;
    bool m_isFinished = false;
    bool m_hasSides = false; ///< mark and sentinel were made by us
};

} // namespace handreset::store
