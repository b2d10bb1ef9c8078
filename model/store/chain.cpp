#include "model/store/chain.h"

#include <algorithm>
#include <type_traits>

namespace handreset::store {

namespace {

constexpr std::size_t kFlushAt = 64U << 10;

template <class Integer>
void append(std::string &out, Integer value)
{
    auto rest = static_cast<std::make_unsigned_t<Integer>>(value);
    for (std::size_t i = 0; i < sizeof(Integer); ++i) {
        out.push_back(static_cast<char>(rest & 0xFFU));
        if constexpr (sizeof(Integer) > 1)
            rest >>= 8U;
    }
}

void append(std::string &out, std::string_view bytes)
{
    append(out, static_cast<std::uint64_t>(bytes.size()));
    out.append(bytes);
}

} // namespace

void ChainLink::begin(const rules::Digest &previous)
{
    m_buffer.assign(bytesOf(previous));
}

void ChainLink::add(const EventRow &row, std::string_view arguments)
{
    append(m_buffer, row.seq);
    append(m_buffer, row.kind);
    append(m_buffer, row.ruleTime);
    append(m_buffer, row.steadyOffset);
    append(m_buffer, static_cast<std::uint8_t>(row.sourceTime ? 1 : 0));
    append(m_buffer, row.sourceTime.value_or(0));
    append(m_buffer, row.agent);
    append(m_buffer, row.task);
    append(m_buffer, row.subject);
    append(m_buffer, row.row);
    append(m_buffer, row.agentPrev);
    append(m_buffer, static_cast<std::uint8_t>(row.anchor ? 1 : 0));
    append(m_buffer, row.payload);
    append(m_buffer, arguments);
    if (m_buffer.size() >= kFlushAt)
        flush();
}

rules::Digest ChainLink::finish()
{
    flush();
    return m_hasher.finish();
}

void ChainLink::flush()
{
    m_hasher.add(m_buffer);
    m_buffer.clear();
}

rules::Digest linkWithKeyframe(const rules::Digest &link, const rules::Digest &keyframe)
{
    rules::Sha256 hasher;
    hasher.add(bytesOf(link));
    hasher.add(bytesOf(keyframe));
    return hasher.finish();
}

std::optional<rules::Digest> digestOf(std::string_view bytes)
{
    rules::Digest digest;
    if (bytes.size() != digest.size())
        return std::nullopt;
    std::transform(bytes.begin(), bytes.end(), digest.begin(), [](char c) { return static_cast<std::uint8_t>(c); });
    return digest;
}

std::string_view bytesOf(const rules::Digest &digest) noexcept
{
    return {reinterpret_cast<const char *>(digest.data()), digest.size()};
}

} // namespace handreset::store
