// One description of a struct serves the store (CBOR) and people (JSON).
//
// A struct describes itself once:
//     template <class V, class S>
//     static void describe(V &v, S &self) { v(1, "agent", self.agent); v(2, "task", self.task); }
// It must name the same fields in the same order whatever they hold, with ascending tags (checked at first use). Tags
// are for ever, and so is the default of each field: in CBOR a field that equals the one of a default-constructed
// struct is left out. Tags that a reader does not know are stepped over, so an older program reads newer data.
// The names are JSON's member names. Equal values encode to equal bytes.
//
// Decoding is strict: a wrong type, a value outside its range or enumeration, keys out of order, missing or further
// bytes are an Error that names field and byte. Pure; any thread.
#pragma once

#include "model/rules/codec_containers.h"
#include "model/rules/codec_values.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace handreset::rules {

namespace codec_detail {

/// A default-constructed T and the places of its fields, in the order of `describe`; made once for each type.
template <class T>
class Defaults {
public:
    static const Defaults &get()
    {
        static const Defaults instance;
        return instance;
    }
    template <class F>
    [[nodiscard]] const F &field(std::size_t index) const noexcept
    {
        return *static_cast<const F *>(m_fields[index]);
    }

private:
    struct Collector {
        std::vector<const void *> &fields;
        std::uint32_t lastTag = 0;
        template <class F>
        void operator()(std::uint32_t tag, std::string_view, const F &field)
        {
            if (tag <= lastTag) // a mistake in the program, and silent loss of data: never to be shipped
                std::abort();
            lastTag = tag;
            fields.push_back(&field);
        }
    };
    Defaults()
    {
        Collector collector{m_fields};
        T::describe(collector, m_value);
    }

    const T m_value{};
    std::vector<const void *> m_fields;
};

template <class F>
bool isSame(const F &a, const F &b);

template <class T>
class FieldWriter {
public:
    explicit FieldWriter(std::string &out) : m_out(out), m_defaults(Defaults<T>::get()) {}

    template <class F>
    void operator()(std::uint32_t tag, std::string_view, const F &field)
    {
        if (isSame(field, m_defaults.template field<F>(m_index++)))
            return;
        cbor::writeUnsigned(m_out, tag);
        Codec<F>::write(m_out, field);
        ++m_written;
    }
    [[nodiscard]] std::size_t written() const noexcept { return m_written; }

private:
    std::string &m_out;
    const Defaults<T> &m_defaults;
    std::size_t m_index = 0;
    std::size_t m_written = 0;
};

/// Walks a map's ascending keys and the description's ascending tags side by side.
class FieldReader {
public:
    FieldReader(cbor::Reader &in, std::uint64_t pairs) : m_in(in), m_left(pairs) { advance(); }

    template <class F>
    void operator()(std::uint32_t tag, std::string_view name, F &field)
    {
        while (m_hasKey && m_key < tag)
            stepOver();
        if (!m_hasKey || m_key != tag)
            return;
        if (Codec<F>::read(m_in, field)) {
            advance();
        } else {
            m_in.blame(name);
            m_hasKey = false;
        }
    }
    /// Steps over what is newer than this program.
    void finish()
    {
        while (m_hasKey)
            stepOver();
    }

private:
    void stepOver()
    {
        if (m_in.skip())
            advance();
        else
            m_hasKey = false;
    }
    void advance()
    {
        const bool isFirst = !m_hasKey;
        const std::uint64_t previous = m_key;
        m_hasKey = m_left != 0 && m_in.readUnsigned(m_key);
        if (!m_hasKey)
            return;
        --m_left;
        if (!isFirst && m_key <= previous)
            m_hasKey = m_in.fail("fields out of order");
    }

    cbor::Reader &m_in;
    std::uint64_t m_left;
    std::uint64_t m_key = 0;
    bool m_hasKey = false;
};

class FieldJson {
public:
    FieldJson(std::string &out, JsonFields fields) : m_out(out), m_fields(fields) {}

    template <class F>
    void put(std::string_view name, const F &field)
    {
        m_out.push_back(m_isFirst ? '{' : ',');
        m_isFirst = false;
        appendJsonString(m_out, name);
        m_out.push_back(':');
        Codec<F>::json(m_out, field, m_fields);
    }
    void finish() { m_out.append(m_isFirst ? "{}" : "}"); }

private:
    std::string &m_out;
    JsonFields m_fields;
    bool m_isFirst = true;
};

/// Reads into a value that is as default-constructed.
template <class T>
bool readFields(cbor::Reader &in, T &value)
{
    std::uint64_t pairs = 0;
    if (!in.enterMap(pairs))
        return false;
    FieldReader reader(in, pairs);
    T::describe(reader, value);
    reader.finish();
    in.leave();
    return !in.failed();
}

} // namespace codec_detail

/// A described struct: a CBOR map of tag to value, a JSON object.
template <Described T>
struct Codec<T> {
    static void write(std::string &out, const T &value)
    {
        const std::size_t head = out.size();
        out.push_back('\0');
        codec_detail::FieldWriter<T> writer(out);
        T::describe(writer, value);
        if (writer.written() < 24) {
            out[head] = static_cast<char>(0xA0U | writer.written());
            return;
        }
        std::string longHead; // rare: a struct that wide moves by the byte or two that its count needs
        cbor::writeHead(longHead, cbor::Major::Map, writer.written());
        out.replace(head, 1, longHead);
    }
    static bool read(cbor::Reader &in, T &value)
    {
        value = T{}; // fields left out are this type's defaults, not those of the struct around it
        return codec_detail::readFields(in, value);
    }
    static void json(std::string &out, const T &value, JsonFields fields)
    {
        codec_detail::FieldJson object(out, fields);
        const auto &defaults = codec_detail::Defaults<T>::get();
        std::size_t index = 0;
        auto visitor = [&](std::uint32_t, std::string_view name, const auto &field) {
            using F = std::remove_cvref_t<decltype(field)>;
            const F &usual = defaults.template field<F>(index++);
            if (fields == JsonFields::All || !codec_detail::isSame(field, usual))
                object.put(name, field);
        };
        T::describe(visitor, value);
        object.finish();
    }
};

/// Appends the value's bytes to `out`. Never fails; allocates only what `out` needs.
template <class T>
void encodeCborTo(std::string &out, const T &value)
{
    Codec<T>::write(out, value);
}

template <class T>
[[nodiscard]] std::string encodeCbor(const T &value)
{
    std::string out;
    encodeCborTo(out, value);
    return out;
}

/// Reads one value that takes up all of `bytes`. Never crashes, whatever the bytes are; BadInput tells field and byte.
template <class T>
[[nodiscard]] Result<T> decodeCbor(std::string_view bytes)
{
    cbor::Reader in(bytes);
    Result<T> result{T{}};
    bool isRead = false;
    if constexpr (Described<T>)
        isRead = codec_detail::readFields(in, *result);
    else
        isRead = Codec<T>::read(in, *result);
    if (isRead && !in.atEnd())
        in.fail("further bytes after the value");
    if (in.failed())
        return in.error();
    return result;
}

/// Appends JSON for people: instants as ISO 8601 in UTC, enumerations as words, amounts as exact text.
template <class T>
void writeJson(std::string &out, const T &value, JsonFields fields = JsonFields::All)
{
    Codec<T>::json(out, value, fields);
}

template <class T>
[[nodiscard]] std::string toJson(const T &value, JsonFields fields = JsonFields::All)
{
    std::string out;
    writeJson(out, value, fields);
    return out;
}

/// True when both have the same bytes: equal in everything that is stored.
template <class T>
[[nodiscard]] bool sameEncoding(const T &a, const T &b)
{
    return encodeCbor(a) == encodeCbor(b);
}

template <class F>
bool codec_detail::isSame(const F &a, const F &b)
{
    if constexpr (requires { static_cast<bool>(a == b); })
        return static_cast<bool>(a == b);
    else
        return sameEncoding(a, b);
}

} // namespace handreset::rules
