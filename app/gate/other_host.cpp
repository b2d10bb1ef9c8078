#include "app/gate/other_host.h"

#include <QFile>

#include <fcntl.h>
#include <unistd.h>

namespace handreset::gate {

bool isHostedByAnother(const QString &storePath)
{
    const int file = ::open(QFile::encodeName(storePath).constData(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return false;
    // SQLite locks single bytes far behind the content (its "PENDING_BYTE"); nobody else locks anything here.
    struct flock lock = {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    const bool isAsked = ::fcntl(file, F_OFD_GETLK, &lock) == 0;
    ::close(file);
    return isAsked && lock.l_type != F_UNLCK;
}

} // namespace handreset::gate
