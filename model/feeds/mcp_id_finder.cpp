#include "model/feeds/mcp_id_finder.h"

#include "model/rules/canonical.h"
#include "model/rules/json.h"

namespace handreset::feeds {

namespace {

constexpr std::size_t kLongestToken = 256;
constexpr std::size_t kMostIds = 1000;

/// The id in canonical form; empty where the token is no id.
std::string idFrom(const std::string &token)
{
    rules::JsonDocument document;
    std::string id;
    if (!document.parse(token))
        return id;
    if (document.root().is(rules::JsonKind::String) || document.root().is(rules::JsonKind::Number))
        rules::appendCanonicalJson(id, document.root());
    return id;
}

} // namespace

void McpIdFinder::feed(std::string_view bytes)
{
    for (const char c : bytes)
        take(c);
}

void McpIdFinder::take(char c)
{
    if (m_isInString)
        return takeInString(c);
    switch (c) {
    case '"':
        m_isInString = true;
        m_token = c;
        break;
    case '{':
    case '[':
        open(c);
        break;
    case '}':
    case ']':
        endToken();
        close();
        break;
    case ':':
        if (m_depth == m_messageDepth) {
            m_name = m_token;
            m_isValue = true;
        }
        m_token.clear();
        break;
    case ',':
        endToken();
        break;
    case ' ':
    case '\t':
    case '\r':
    case '\n':
        break;
    default:
        if (m_token.size() <= kLongestToken)
            m_token += c;
    }
}

void McpIdFinder::takeInString(char c)
{
    if (m_token.size() <= kLongestToken)
        m_token += c;
    if (m_isEscaped)
        m_isEscaped = false;
    else if (c == '\\')
        m_isEscaped = true;
    else if (c == '"')
        m_isInString = false;
}

void McpIdFinder::open(char c)
{
    if (m_depth == 0 && c == '[')
        m_messageDepth = 2;
    ++m_depth;
    m_token.clear();
    if (m_depth == m_messageDepth) {
        m_hasMethod = false;
        m_isValue = false;
        m_id.clear();
    }
}

/// A member's value is over.
void McpIdFinder::endToken()
{
    if (m_depth != m_messageDepth)
        return;
    if (m_isValue && m_name == "\"id\"" && m_token.size() <= kLongestToken)
        m_id = idFrom(m_token);
    if (m_isValue && m_name == "\"method\"")
        m_hasMethod = true;
    m_isValue = false;
    m_token.clear();
    m_name.clear();
}

void McpIdFinder::close()
{
    if (m_depth == m_messageDepth && !m_id.empty()) {
        auto &found = m_hasMethod ? m_requests : m_responses;
        if (found.size() < kMostIds)
            found.push_back(m_id);
        m_id.clear();
    }
    m_token.clear();
    if (m_depth > 0)
        --m_depth;
}

} // namespace handreset::feeds
