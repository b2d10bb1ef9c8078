#include "model/trust/passphrase.h"

#include "model/rules/utf8.h"

#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace handreset::trust {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

/// Wipes what the text holds when the scope ends. Qt shares texts: where another one holds the same memory, writing to
/// ours would only wipe a copy, so it is let go instead.
template <class Text>
class WipedText {
public:
    explicit WipedText(Text &&text) : m_text(std::move(text)) {}
    ~WipedText()
    {
        if (!m_text.isEmpty() && m_text.isDetached())
            wipe(m_text.data(), static_cast<std::size_t>(m_text.size()) * sizeof(*m_text.constData()));
    }
    WipedText(const WipedText &) = delete;
    WipedText &operator=(const WipedText &) = delete;
    [[nodiscard]] const Text &get() const noexcept { return m_text; }

private:
    Text m_text;
};

Error wrong(const char *message)
{
    return {ErrorCode::BadInput, message, {}};
}

std::size_t charactersIn(std::string_view utf8) noexcept
{
    std::size_t count = 0;
    for (const char byte : utf8)
        count += (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U ? 1U : 0U;
    return count;
}

} // namespace

Result<Passphrase> Passphrase::take(QString &&text)
{
    const WipedText<QString> given(std::move(text));
    if (!given.get().isValidUtf16())
        return wrong("the passphrase is no text; type another one");
    const WipedText<QString> normal(given.get().normalized(QString::NormalizationForm_C));
    const WipedText<QByteArray> utf8(normal.get().toUtf8());
    const std::string_view view(utf8.get().constData(), static_cast<std::size_t>(utf8.get().size()));
    const auto characters = charactersIn(view);
    if (characters < static_cast<std::size_t>(kFewestCharacters))
        return wrong(
            "the passphrase is too short: at least 8 characters; a few words that are easy to remember are best");
    if (characters > static_cast<std::size_t>(kMostCharacters))
        return wrong("the passphrase is too long: at most 1024 characters");
    if (view.find_first_of(std::string_view("\0\n\r", 3)) != std::string_view::npos)
        return wrong("the passphrase has a line end or a zero in it, which cannot be typed at a prompt; leave it out");
    Passphrase passphrase;
    passphrase.m_bytes = SecretBytes(view.size());
    std::memcpy(passphrase.m_bytes.data(), view.data(), view.size());
    passphrase.m_bytes.freeze();
    return passphrase;
}

Result<Passphrase> Passphrase::take(QByteArray &&utf8)
{
    const WipedText<QByteArray> given(std::move(utf8));
    if (!rules::isUtf8({given.get().constData(), static_cast<std::size_t>(given.get().size())}))
        return wrong("the passphrase is not UTF-8; type it in a terminal or a file of that encoding");
    return take(QString::fromUtf8(given.get()));
}

} // namespace handreset::trust
