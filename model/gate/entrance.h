// One listening socket of the agents' door: accepts who comes and hands the descriptors on. Private to http_loop.cpp,
// the one file with Boost.Asio. Thread: the I/O thread. Ownership: owns the listening descriptor. Failure: when
// descriptors or memory run out it says so and pauses, for who waits stays ready to be accepted and the loop would
// spin.
#pragma once

#include "model/gate/http_message.h"

#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <sys/socket.h>

#include <cerrno>
#include <chrono>
#include <functional>

namespace handreset::gate {

class Entrance {
public:
    /// Called with a connected descriptor, which is non-blocking and the callee's to close, also where it throws.
    using Admit = std::function<void(int descriptor, Door door)>;
    using RanOut = std::function<void()>;

    Entrance(boost::asio::io_context &io, int descriptor, Door door, Admit admit, RanOut ranOut)
        : m_listening(io, descriptor), m_pause(io), m_door(door), m_admit(std::move(admit)), m_ranOut(std::move(ranOut))
    {
        wait();
    }
    void close()
    {
        boost::system::error_code ignored;
        m_listening.close(ignored);
        m_pause.cancel();
        m_isOpen = false;
    }

private:
    /// In one turn of the loop, so that those who are in get theirs.
    static constexpr int kAcceptedAtOnce = 64;
    static constexpr std::chrono::milliseconds kPause{100};

    void wait()
    {
        m_listening.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                               [this](const boost::system::error_code &error) {
                                   if (!error && m_isOpen)
                                       acceptAll();
                               });
    }
    void acceptAll()
    {
        for (int i = 0; i < kAcceptedAtOnce; ++i) {
            const int descriptor
                = ::accept4(m_listening.native_handle(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
            if (descriptor >= 0) {
                if (!admit(descriptor))
                    return;
            } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
                break;
            } else if (errno != EINTR && errno != ECONNABORTED) {
                m_ranOut();
                pause();
                return;
            }
        }
        wait();
    }
    /// False, and a pause, when memory ran out over it: without a new wait nobody would come in any more.
    bool admit(int descriptor)
    {
        try {
            m_admit(descriptor, m_door);
            return true;
        } catch (...) {
            m_ranOut();
            pause();
            return false;
        }
    }
    void pause()
    {
        m_pause.expires_after(kPause);
        m_pause.async_wait([this](const boost::system::error_code &error) {
            if (!error && m_isOpen)
                acceptAll();
        });
    }

    boost::asio::posix::stream_descriptor m_listening;
    boost::asio::steady_timer m_pause;
    Door m_door;
    Admit m_admit;
    RanOut m_ranOut;
    bool m_isOpen = true;
};

} // namespace handreset::gate
