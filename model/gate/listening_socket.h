// The sockets that the agents' door listens at. Raw sockets, so that the file's mode is right before anybody can
// connect, and so that no descriptor reaches a child process. Any thread; no state.
// Failure: an Error that says what is in the way; nothing but a socket that nobody answers at is ever removed.
#pragma once

#include "model/rules/result.h"

#include <sys/types.h>

#include <cstdint>
#include <string>

namespace handreset::gate {

struct ListeningSocket {
    int descriptor = -1;    ///< non-blocking; the caller's to close
    std::uint16_t port = 0; ///< of a TCP socket
    dev_t device = 0;       ///< of a Unix socket's file
    ino_t inode = 0;
};

/// Makes the socket in a folder that must exist. One that was left behind is taken away when it is this user's own and
/// nobody answers at it; anything else at that path, a symbolic link too, is left alone and is a failure. Two processes
/// that start on one path in the same moment are for the caller to keep apart (the host has its store to itself).
[[nodiscard]] rules::Result<ListeningSocket> listenAtPath(const std::string &path, mode_t mode);
/// Takes the file away if it is still the one that was made.
void removeSocketFile(const std::string &path, const ListeningSocket &socket);

/// `address`: in 127.0.0.0/8, "::1" or "localhost"; others are refused, the agents' door is not for a network. Port 0:
/// any free one.
[[nodiscard]] rules::Result<ListeningSocket> listenAtLoopback(const std::string &address, std::uint16_t port);

} // namespace handreset::gate
