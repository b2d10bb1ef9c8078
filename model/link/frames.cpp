#include "model/link/frames.h"

#include <QByteArray>

namespace handreset::link {

QByteArray framed(std::string_view message)
{
    QByteArray frame;
    frame.reserve(static_cast<qsizetype>(kFrameHead + message.size()));
    for (int shift = 24; shift >= 0; shift -= 8)
        frame.append(static_cast<char>((message.size() >> static_cast<unsigned>(shift)) & 0xFFU));
    frame.append(message.data(), static_cast<qsizetype>(message.size()));
    return frame;
}

void FrameReader::feed(std::string_view bytes)
{
    if (m_failed)
        return;
    if (m_at == m_bytes.size()) {
        m_bytes.clear();
        m_at = 0;
    } else if (m_at > m_bytes.size() / 2) { // moved seldom, so that many small messages cost no more than one long one
        m_bytes.erase(0, m_at);
        m_at = 0;
    }
    m_bytes.append(bytes);
}

bool FrameReader::next(std::string &message)
{
    if (m_failed || m_bytes.size() - m_at < kFrameHead)
        return false;
    std::size_t length = 0;
    for (std::size_t i = 0; i < kFrameHead; ++i)
        length = length << 8U | static_cast<std::uint8_t>(m_bytes[m_at + i]);
    if (length == 0 || length > m_most) {
        m_failed = true;
        m_bytes.clear();
        m_at = 0;
        return false;
    }
    if (m_bytes.size() - m_at - kFrameHead < length)
        return false;
    message.assign(m_bytes, m_at + kFrameHead, length);
    m_at += kFrameHead + length;
    if (m_at == m_bytes.size() && m_bytes.capacity() > kMostToServer) { // the memory of a rare long one is given back
        m_bytes = std::string();
        m_at = 0;
    }
    return true;
}

} // namespace handreset::link
