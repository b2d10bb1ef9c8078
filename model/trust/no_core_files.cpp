#include "model/trust/no_core_files.h"

#include <sys/resource.h>

namespace handreset::trust {

void leaveNoCoreFiles() noexcept
{
    const rlimit none{0, 0};
    static_cast<void>(setrlimit(RLIMIT_CORE, &none));
}

} // namespace handreset::trust
