#include "tests/support/failing_vfs.h"

#include <cstddef>

namespace handreset::tests {

struct FailingVfs::State {
    sqlite3_vfs vfs{};
    sqlite3_vfs *real = nullptr;
    sqlite3_io_methods methods{};
    int left = -1; ///< changes until the one that fails; below 0: none does
    int result = SQLITE_OK;
    How how = How::Once;
    bool hasFailed = false;

    /// What this change is to answer: SQLITE_OK to go on.
    int change()
    {
        if (left < 0)
            return SQLITE_OK;
        if (left > 0) {
            --left;
            return SQLITE_OK;
        }
        if (how == How::Once)
            left = -1;
        hasFailed = true;
        return result;
    }
};

namespace {

struct File {
    sqlite3_file base;
    FailingVfs::State *state;
    sqlite3_file *real; ///< its memory lies right behind
};

File *fileOf(sqlite3_file *file)
{
    return reinterpret_cast<File *>(file);
}

sqlite3_file *realOf(sqlite3_file *file)
{
    return fileOf(file)->real;
}

int closeFile(sqlite3_file *f)
{
    return realOf(f)->pMethods->xClose(realOf(f));
}
int readFile(sqlite3_file *f, void *to, int size, sqlite3_int64 at)
{
    return realOf(f)->pMethods->xRead(realOf(f), to, size, at);
}
int writeFile(sqlite3_file *f, const void *from, int size, sqlite3_int64 at)
{
    const int answer = fileOf(f)->state->change();
    return answer != SQLITE_OK ? answer : realOf(f)->pMethods->xWrite(realOf(f), from, size, at);
}
int truncateFile(sqlite3_file *f, sqlite3_int64 size)
{
    const int answer = fileOf(f)->state->change();
    return answer != SQLITE_OK ? answer : realOf(f)->pMethods->xTruncate(realOf(f), size);
}
int syncFile(sqlite3_file *f, int flags)
{
    const int answer = fileOf(f)->state->change();
    return answer != SQLITE_OK ? answer : realOf(f)->pMethods->xSync(realOf(f), flags);
}
int sizeOfFile(sqlite3_file *f, sqlite3_int64 *size)
{
    return realOf(f)->pMethods->xFileSize(realOf(f), size);
}
int lockFile(sqlite3_file *f, int level)
{
    return realOf(f)->pMethods->xLock(realOf(f), level);
}
int unlockFile(sqlite3_file *f, int level)
{
    return realOf(f)->pMethods->xUnlock(realOf(f), level);
}
int checkReserved(sqlite3_file *f, int *out)
{
    return realOf(f)->pMethods->xCheckReservedLock(realOf(f), out);
}
int controlFile(sqlite3_file *f, int operation, void *argument)
{
    return realOf(f)->pMethods->xFileControl(realOf(f), operation, argument);
}
int sectorSize(sqlite3_file *f)
{
    return realOf(f)->pMethods->xSectorSize(realOf(f));
}
int deviceOf(sqlite3_file *f)
{
    return realOf(f)->pMethods->xDeviceCharacteristics(realOf(f));
}

FailingVfs::State *stateOf(sqlite3_vfs *vfs)
{
    return static_cast<FailingVfs::State *>(vfs->pAppData);
}

int openFile(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *f, int flags, int *outFlags)
{
    auto *const file = fileOf(f);
    auto *const state = stateOf(vfs);
    file->state = state;
    file->real = reinterpret_cast<sqlite3_file *>(reinterpret_cast<char *>(f) + sizeof(File));
    const int code = state->real->xOpen(state->real, name, file->real, flags, outFlags);
    f->pMethods = file->real->pMethods != nullptr ? &state->methods : nullptr;
    return code;
}

} // namespace

FailingVfs::FailingVfs() : m_state(std::make_unique<State>())
{
    auto &s = *m_state;
    s.real = sqlite3_vfs_find(nullptr);
    s.vfs = *s.real;
    s.vfs.szOsFile = static_cast<int>(sizeof(File)) + s.real->szOsFile;
    s.vfs.pNext = nullptr;
    s.vfs.zName = "failing";
    s.vfs.pAppData = &s;
    s.vfs.xOpen = openFile;
    // Paths and time are the real one's; it gets them under its own name.
    s.vfs.xDelete = [](sqlite3_vfs *v, const char *name, int sync) {
        return stateOf(v)->real->xDelete(stateOf(v)->real, name, sync);
    };
    s.vfs.xAccess = [](sqlite3_vfs *v, const char *name, int flags, int *out) {
        return stateOf(v)->real->xAccess(stateOf(v)->real, name, flags, out);
    };
    s.vfs.xFullPathname = [](sqlite3_vfs *v, const char *name, int size, char *out) {
        return stateOf(v)->real->xFullPathname(stateOf(v)->real, name, size, out);
    };
    s.methods = {1,        closeFile,  readFile,      writeFile,   truncateFile, syncFile, sizeOfFile,
                 lockFile, unlockFile, checkReserved, controlFile, sectorSize,   deviceOf, nullptr,
                 nullptr,  nullptr,    nullptr,       nullptr,     nullptr};
    sqlite3_vfs_register(&s.vfs, 1);
}

FailingVfs::~FailingVfs()
{
    sqlite3_vfs_unregister(&m_state->vfs);
    sqlite3_vfs_register(m_state->real, 1);
}

void FailingVfs::failAt(int n, int result, How how)
{
    m_state->left = n;
    m_state->result = result;
    m_state->how = how;
    m_state->hasFailed = false;
}

void FailingVfs::heal()
{
    m_state->left = -1;
}

bool FailingVfs::hasFailed() const
{
    return m_state->hasFailed;
}

} // namespace handreset::tests
