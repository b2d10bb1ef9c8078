// The Unix socket that belongs to a store: `<store>.link`, beside it. Raw sockets: so that the mode is right before
// anybody can connect, and a path of any length serves (a socket's address holds 107 bytes; a longer one is reached
// through /proc/self/fd of its folder). Any thread; no state.
// Failure: an Error that says what is in the way; nothing but a socket that nobody answers at is ever removed.
#pragma once

#include "model/rules/result.h"

#include <QString>

#include <sys/types.h>

#include <optional>

namespace handreset::link {

/// Where the socket of this store is.
[[nodiscard]] QString socketPathOf(const QString &storePath);

/// A socket that listens, and the file by which it is found.
struct ListeningSocket {
    int descriptor = -1; ///< the caller's to close
    dev_t device = 0;
    ino_t inode = 0;
};

/// Makes the socket with mode 0600. One that was left behind is taken away when nobody answers at it and it is this
/// user's own; the caller must host the store, so that nobody else can be about to do the same.
[[nodiscard]] rules::Result<ListeningSocket> listenAt(const QString &socketPath);
/// Takes the file away if it is still the one that was made.
void removeSocket(const QString &socketPath, const ListeningSocket &socket);

/// A connected descriptor, non-blocking; the caller's to close. NotFound where no socket is there, Unavailable where
/// nobody answers, or where somebody answers who is not the owner of the socket.
[[nodiscard]] rules::Result<int> connectTo(const QString &socketPath);

/// The user id of the peer of a connected Unix socket, as the kernel kept it when the connection was made.
[[nodiscard]] std::optional<uid_t> peerOf(int descriptor);

} // namespace handreset::link
