#include "tests/gate/exchange_table.h"

#include <array>
#include <cstdio>
#include <utility>

namespace handreset::test {

namespace {

using Rows = std::vector<Exchange>;
using Named = std::pair<const char *, const char *>;

const std::string kHost = "Host: localhost\r\n";

/// Refused the same at both doors, and closed.
void bad(Rows &rows, const std::string &name, const std::string &bytes, const std::string &statuses)
{
    rows.push_back({name, bytes, statuses, statuses, true, false});
}
/// Answered the same at both doors, and kept.
void good(Rows &rows, const std::string &name, const std::string &bytes, const std::string &statuses = "200")
{
    rows.push_back({name, bytes, statuses, statuses, false, false});
}
std::string get(const std::string &fields)
{
    return "GET /v1/x HTTP/1.1\r\n" + kHost + fields + "\r\n";
}
std::string getOf(const std::string &target)
{
    return "GET " + target + " HTTP/1.1\r\n" + kHost + "\r\n";
}
std::string post(const std::string &fields, const std::string &body)
{
    return "POST /v1/x HTTP/1.1\r\n" + kHost + fields + "\r\n" + body;
}
std::string chunked(const std::string &body)
{
    return post("Transfer-Encoding: chunked\r\n", body);
}
std::string hex(int byte)
{
    std::array<char, 8> text{};
    std::snprintf(text.data(), text.size(), "0x%02x", static_cast<unsigned>(byte));
    return text.data();
}
std::string times(std::size_t count, const std::string &text)
{
    std::string all;
    for (std::size_t i = 0; i < count; ++i)
        all += text;
    return all;
}

void addFraming(Rows &rows)
{
    const std::string body = smuggled();
    const std::string length = "Content-Length: " + std::to_string(body.size()) + "\r\n";
    const std::string zero = "0\r\n\r\n" + body;
    const std::string te = "Transfer-Encoding: ";
    bad(rows, "length and chunked", post(length + te + "chunked\r\n", zero), "400");
    bad(rows, "chunked and length", post(te + "chunked\r\n" + length, zero), "400");
    bad(rows, "length 0 and chunked", post("Content-Length: 0\r\n" + te + "chunked\r\n", zero), "400");
    bad(rows, "length and gzip", post(length + te + "gzip\r\n", zero), "400");
    bad(rows, "length and an empty coding", post(length + te + "\r\n", zero), "400");
    bad(rows, "chunked twice, two fields", post(te + "chunked\r\n" + te + "chunked\r\n", zero), "400");
    bad(rows, "chunked and gzip, two fields", post(te + "chunked\r\n" + te + "gzip\r\n", zero), "400");
    bad(rows, "gzip and chunked, two fields", post(te + "gzip\r\n" + te + "chunked\r\n", zero), "400");
    bad(rows, "chunked on HTTP/1.0", "POST /x HTTP/1.0\r\n" + kHost + te + "chunked\r\n\r\n" + zero, "400");
    const std::array<Named, 26> codings{{{"gzip", "400"},
                                         {"xchunked", "400"},
                                         {"chunkedx", "400"},
                                         {"chunked, gzip", "400"},
                                         {"gzip, chunked", "501"},
                                         {"deflate, chunked", "501"},
                                         {"chunked, chunked", "400"},
                                         {"identity", "400"},
                                         {"identity, chunked", "501"},
                                         {"", "400"},
                                         {",", "400"},
                                         {",chunked", "400"},
                                         {"chunked,", "400"},
                                         {"chunked;q=1", "400"},
                                         {"chunked ;x", "400"},
                                         {"\"chunked\"", "400"},
                                         {"'chunked'", "400"},
                                         {"chunked chunked", "400"},
                                         {"chunk", "400"},
                                         {"\x63hunked\x80", "400"},
                                         {"trailers", "400"},
                                         {"gzip;q=1, chunked", "400"},
                                         {"a, b, chunked", "400"},
                                         {"compress", "400"},
                                         {"chunked\t, identity", "400"},
                                         {"br, chunked", "501"}}};
    for (const auto &[coding, status] : codings)
        bad(rows, std::string("transfer coding: ") + coding, post(te + coding + "\r\n", zero), status);
    bad(rows, "a blank before the colon of a coding", post("Transfer-Encoding : chunked\r\n", zero), "400");
    bad(rows, "a coding behind a blank", post(" Transfer-Encoding: chunked\r\n", zero), "400");
    bad(rows, "a coding behind a folded line", post("X: y\r\n Transfer-Encoding: chunked\r\n", zero), "400");
    bad(rows, "a coding on a folded line", post("Transfer-Encoding:\r\n chunked\r\n", zero), "400");
    bad(rows, "a coding behind a bare CR", post("X: y\rTransfer-Encoding: chunked\r\n", zero), "400");
    bad(rows, "a coding behind a bare LF", post("X: y\nTransfer-Encoding: chunked\r\n", zero), "400");
    bad(rows, "a vertical tab before a coding", post("Transfer-Encoding: \vchunked\r\n", zero), "400");
    good(rows, "coding in capitals", post("TRANSFER-ENCODING: CHUNKED\r\n", "0\r\n\r\n"));
    good(rows, "coding with blanks around", post("Transfer-Encoding: \t chunked \t\r\n", "0\r\n\r\n"));
    good(rows, "a name with an underscore is another", post("Transfer_Encoding: gzip\r\n", ""));
    good(rows, "a length and an underscored coding",
         post("Content-Length: 5\r\nTransfer_Encoding: chunked\r\n", "hello"));

    const std::array<const char *, 31> lengths{"7, 7",
                                               "7,7",
                                               "+7",
                                               "-5",
                                               "-0",
                                               "0x7",
                                               "",
                                               " ",
                                               "7 7",
                                               "7;",
                                               "7a",
                                               "a7",
                                               "7.0",
                                               "7e0",
                                               "1_000",
                                               "9223372036854775808",
                                               "18446744073709551615",
                                               "18446744073709551616",
                                               "18446744073709551623",
                                               "99999999999999999999",
                                               "340282366920938463463374607431768211456",
                                               "00000000000000000000007",
                                               "\"7\"",
                                               "'7'",
                                               "\xd9\xa7",
                                               "\xb7",
                                               "NaN",
                                               "inf",
                                               "#7",
                                               "7\v",
                                               "\f7"};
    for (const char *const text : lengths)
        bad(rows, std::string("length: ") + text, post(std::string("Content-Length: ") + text + "\r\n", body), "400");
    bad(rows, "length twice, the same", post("Content-Length: 7\r\nContent-Length: 7\r\n", body), "400");
    bad(rows, "length twice, different", post("Content-Length: 0\r\nContent-Length: 7\r\n", body), "400");
    bad(rows, "length twice, far apart", post("Content-Length: 7\r\nA: b\r\nC: d\r\ncontent-length: 7\r\n", body),
        "400");
    bad(rows, "length twice, one empty", post("Content-Length: 7\r\nContent-Length:\r\n", body), "400");
    bad(rows, "length of 2^63 - 1", post("Content-Length: 9223372036854775807\r\n", body), "413");
    bad(rows, "length one above the limit", post("Content-Length: 262145\r\n", body), "413");
    bad(rows, "length above the limit, on a GET", get("Content-Length: 262145\r\n"), "413");
    bad(rows, "length above the limit, with an expectation",
        post("Content-Length: 262145\r\nExpect: 100-continue\r\n", ""), "413");
    bad(rows, "a blank before the colon of a length", post("Content-Length : 5\r\n", body), "400");
    bad(rows, "a tab before the colon of a length", post("Content-Length\t: 5\r\n", body), "400");
    bad(rows, "a length on a folded line", post("Content-Length:\r\n 5\r\n", body), "400");
    good(rows, "length with zeros before it", post("Content-Length: 0000000000000000005\r\n", "hello"));
    good(rows, "length with blanks around", post("Content-Length: \t5\t \r\n", "hello"));
    good(rows, "length without a blank", post("Content-Length:5\r\n", "hello"));
    good(rows, "length in capitals", post("CONTENT-LENGTH: 5\r\n", "hello"));
    good(rows, "length 0", post("Content-Length: 0\r\n", ""));
    good(rows, "a POST without a body", post("", ""));
    good(rows, "a GET with a body, which is no request", get(length) + body);
    good(rows, "a POST with a body that looks like a request", post(length, body));
    good(rows, "chunks whose data looks like a request",
         chunked("30\r\n" + (body + times(48, "#")).substr(0, 48) + "\r\n0\r\n\r\n"));
    good(rows, "the longest body", post("Content-Length: 262144\r\n", times(262144, "b")));
    good(rows, "the longest body in one chunk", chunked("40000\r\n" + times(262144, "b") + "\r\n0\r\n\r\n"));
}

void addChunks(Rows &rows)
{
    const std::string end = "0\r\n\r\n";
    good(rows, "one chunk", chunked("5\r\nhello\r\n" + end));
    good(rows, "three chunks", chunked("1\r\na\r\n2\r\nbc\r\nA\r\n0123456789\r\n" + end));
    good(rows, "hexadecimal digits in both cases", chunked("a\r\n0123456789\r\nA\r\n0123456789\r\n" + end));
    good(rows, "zeros before a size", chunked("0005\r\nhello\r\n0000\r\n\r\n"));
    good(rows, "an extension", chunked("5;a=b\r\nhello\r\n0;last\r\n\r\n"));
    good(rows, "a quoted extension", chunked("5;a=\"b c\";d\r\nhello\r\n" + end));
    good(rows, "a trailer", chunked("5\r\nhello\r\n0\r\nX: y\r\n\r\n"));
    good(rows, "a trailer that names a length", chunked("0\r\nContent-Length: 70\r\nTransfer-Encoding: gzip\r\n\r\n"));
    good(rows, "a trailer that names an origin",
         chunked("0\r\nOrigin: http://evil.example\r\nHost: evil.example\r\n\r\n"));
    good(rows, "a trailer without a value", chunked("0\r\nX:\r\n\r\n"));
    const std::array<Named, 30> sizes{{{"no size", "\r\nhello\r\n"},
                                       {"a blank for a size", " \r\nhello\r\n"},
                                       {"a blank before a size", " 5\r\nhello\r\n"},
                                       {"a blank behind a size", "5 \r\nhello\r\n"},
                                       {"a blank before an extension", "5 ;a\r\nhello\r\n"},
                                       {"a size with a sign", "+5\r\nhello\r\n"},
                                       {"a size below zero", "-5\r\nhello\r\n"},
                                       {"a size with 0x", "0x5\r\nhello\r\n"},
                                       {"a size with a g", "5g\r\nhello\r\n"},
                                       {"a size with a comma", "5,5\r\nhello\r\n"},
                                       {"a size of only an extension", ";a\r\nhello\r\n"},
                                       {"a size with an LF only", "5\nhello\r\n"},
                                       {"a size with a CR only", "5\rhello\r\n"},
                                       {"a size with CR CR LF", "5\r\r\nhello\r\n"},
                                       {"an extension with an LF only", "5;a\nhello\r\n"},
                                       {"an extension with a bare CR", "5;a\rb\r\nhello\r\n"},
                                       {"an extension with an escape", "5;a=\x1b[31m\r\nhello\r\n"},
                                       {"an extension with DEL", "5;a=\x7f\r\nhello\r\n"},
                                       {"data longer than its size", "5\r\nhello!\r\n"},
                                       {"data with an LF only behind it", "5\r\nhello\n"},
                                       {"data with a CR only behind it", "5\r\nhello\r5"},
                                       {"data with nothing behind it", "5\r\nhello5\r\nhello\r\n"},
                                       {"a trailer without a colon", "0\r\nX\r\n\r\n"},
                                       {"a trailer without a name", "0\r\n: x\r\n\r\n"},
                                       {"a folded trailer", "0\r\nX: y\r\n z\r\n\r\n"},
                                       {"a trailer with a blank before the colon", "0\r\nX : y\r\n\r\n"},
                                       {"a trailer with an LF only", "0\r\nX: y\n\r\n"},
                                       {"a trailer with an escape", "0\r\nX: \x1b\r\n\r\n"},
                                       {"a trailer with a bare CR", "0\r\nX: y\rZ: a\r\n\r\n"},
                                       {"a last line with an LF only", "0\r\n\n"}}};
    for (const auto &[name, body] : sizes)
        bad(rows, std::string("chunks: ") + name, chunked(body + end + smuggled()), "400");
    bad(rows, "chunks: a NUL in a size", chunked(std::string("5\0\r\nhello\r\n", 11) + end), "400");
    bad(rows, "chunks: a size of 17 digits", chunked("00000000000000005\r\nhello\r\n" + end), "400");
    bad(rows, "chunks: a size above the limit", chunked("40001\r\n" + smuggled()), "413");
    bad(rows, "chunks: a size of 2^63", chunked("8000000000000000\r\n" + smuggled()), "413");
    bad(rows, "chunks: a size of 2^64 - 1", chunked("ffffffffffffffff\r\n" + smuggled()), "413");
    bad(rows, "chunks: a size of 2^64 + 5", chunked("10000000000000005\r\nhello\r\n" + end), "413");
    bad(rows, "chunks: together above the limit",
        chunked("20000\r\n" + times(0x20000, "x") + "\r\n20001\r\n" + smuggled()), "413");
    bad(rows, "chunks: an endless extension", chunked("5;" + times(100'000, "x")), "400");
    bad(rows, "chunks: an endless trailer", chunked("0\r\nX: " + times(100'000, "x")), "413");
    bad(rows, "chunks: endless trailers", chunked("0\r\n" + times(20'000, "X: y\r\n")), "413");
    bad(rows, "chunks: endless small ones", chunked(times(20'000, "1\r\nx\r\n")), "413");
    bad(rows, "chunks: extensions that are together too long",
        chunked(times(100, "1;" + times(900, "x") + "\r\ny\r\n")), "413");
}

void addRequestLines(Rows &rows)
{
    const auto line = [&rows](const std::string &name, const std::string &text, const std::string &status) {
        bad(rows, "request line: " + name, text + "\r\n" + kHost + "\r\n", status);
    };
    line("HTTP/9.9", "GET / HTTP/9.9", "505");
    line("HTTP/2.0", "GET / HTTP/2.0", "505");
    line("HTTP/3.0", "GET / HTTP/3.0", "505");
    line("HTTP/1.2", "GET / HTTP/1.2", "505");
    line("HTTP/0.9", "GET / HTTP/0.9", "505");
    line("HTTP/0.0", "GET / HTTP/0.0", "505");
    line("a version without a dot", "GET / HTTP/11", "400");
    line("a version of three digits", "GET / HTTP/1.10", "400");
    line("a version of one digit", "GET / HTTP/1", "400");
    line("a version in small letters", "GET / http/1.1", "400");
    line("another protocol", "GET / HTCPCP/1.0", "400");
    line("another protocol of the same length", "GET / HTTQ/1.1", "400");
    line("a version with a blank", "GET / HTTP /1.1", "400");
    line("a version with letters", "GET / HTTP/x.y", "400");
    line("a comma in the version", "GET / HTTP/1,1", "400");
    line("a blank behind the version", "GET / HTTP/1.1 ", "400");
    line("a tab behind the version", "GET / HTTP/1.1\t", "400");
    line("two blanks behind the method", "GET  / HTTP/1.1", "400");
    line("two blanks behind the target", "GET /  HTTP/1.1", "400");
    line("tabs for blanks", "GET\t/\tHTTP/1.1", "400");
    line("a blank before the method", " GET / HTTP/1.1", "400");
    line("no target", "GET HTTP/1.1", "400");
    line("an empty target", "GET  HTTP/1.1", "400");
    line("no version", "GET /", "400");
    line("no method", "/ HTTP/1.1", "400");
    line("one word", "GET", "400");
    line("two targets", "GET / / HTTP/1.1", "400");
    line("a method that nobody knows", "BREW / HTTP/1.1", "501");
    line("a method in small letters", "get / HTTP/1.1", "501");
    line("a method in mixed letters", "Get / HTTP/1.1", "501");
    line("TRACE", "TRACE / HTTP/1.1", "501");
    line("CONNECT", "CONNECT localhost:80 HTTP/1.1", "501");
    line("PROPFIND", "PROPFIND / HTTP/1.1", "501");
    line("PRI", "PRI * HTTP/1.1", "501");
    line("a method with a letter more", "GETT / HTTP/1.1", "501");
    line("a method with a letter less", "GE / HTTP/1.1", "501");
    line("a method of 60 letters", times(60, "M") + " / HTTP/1.1", "501");
    line("a method with a colon", "GET: / HTTP/1.1", "400");
    line("a method in quotes", "\"GET\" / HTTP/1.1", "400");
    line("a method with a slash", "GET/ / HTTP/1.1", "400");
    line("a method that is not ASCII", "G\xc3\x8bT / HTTP/1.1", "400");
    line("a target without a slash", "GET x HTTP/1.1", "400");
    line("a target of dots", "GET ../x HTTP/1.1", "400");
    line("a star for a GET", "GET * HTTP/1.1", "400");
    line("a fragment", "GET /x#y HTTP/1.1", "400");
    line("a back slash", "GET /x\\y HTTP/1.1", "400");
    line("a quote", "GET /x\"y HTTP/1.1", "400");
    line("an angle bracket", "GET /<script> HTTP/1.1", "400");
    line("braces", "GET /{x} HTTP/1.1", "400");
    line("a bar", "GET /x|y HTTP/1.1", "400");
    line("a caret", "GET /x^y HTTP/1.1", "400");
    line("a grave accent", "GET /`x` HTTP/1.1", "400");
    line("a target that is not ASCII", "GET /\xc3\xa4 HTTP/1.1", "400");
    line("a percent sign alone", "GET /% HTTP/1.1", "400");
    line("a percent sign with one digit", "GET /%4 HTTP/1.1", "400");
    line("a percent sign with letters", "GET /%zz HTTP/1.1", "400");
    line("a percent sign with a Unicode escape", "GET /%u0041 HTTP/1.1", "400");
    line("a target of 4,097 bytes", "GET /" + times(4096, "x") + " HTTP/1.1", "414");
    line("a target of 10,000 bytes", "GET /" + times(9999, "x") + " HTTP/1.1", "414");
    line("a target of 100,000 bytes", "GET /" + times(99'999, "x") + " HTTP/1.1", "414");
    line("a method of 10,000 bytes", times(10'000, "M") + " / HTTP/1.1", "414");
    line("an absolute target, https", "GET https://localhost/x HTTP/1.1", "400");
    line("an absolute target, ftp", "GET ftp://localhost/x HTTP/1.1", "400");
    line("an absolute target, file", "GET file:///etc/passwd HTTP/1.1", "400");
    line("an absolute target with a user", "GET http://a@localhost/ HTTP/1.1", "400");
    line("an absolute target without a host", "GET http:///x HTTP/1.1", "400");
    line("an absolute target with a query only", "GET http://localhost?x HTTP/1.1", "400");
    line("an absolute target with a port of letters", "GET http://localhost:x/ HTTP/1.1", "400");
    rows.push_back({"request line: an absolute target elsewhere",
                    "GET http://evil.example/ HTTP/1.1\r\n" + kHost + "\r\n", "400", "200", true, false});
    rows.back().closes = true;
    bad(rows, "HTTP/2's preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505");
    bad(rows, "a TLS greeting", std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11) + times(200, "x"),
        "400");
    bad(rows, "a line of another protocol", "EHLO localhost\r\n\r\n", "400");
    bad(rows, "an empty head", "\r\n\r\n", "400");
    bad(rows, "two empty lines first", "\r\n\r\nGET / HTTP/1.1\r\n" + kHost + "\r\n", "400");
    bad(rows, "an LF first", "\nGET / HTTP/1.1\r\n" + kHost + "\r\n", "400");
    bad(rows, "a CR first", "\rGET / HTTP/1.1\r\n" + kHost + "\r\n", "400");
    bad(rows, "a byte order mark first", "\xef\xbb\xbfGET / HTTP/1.1\r\n" + kHost + "\r\n", "400");
    good(rows, "an empty line first", "\r\nGET / HTTP/1.1\r\n" + kHost + "\r\n");
    for (const char *const method : {"GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
        good(rows, std::string("method ") + method, std::string(method) + " /x HTTP/1.1\r\n" + kHost + "\r\n");
    good(rows, "a star for OPTIONS", "OPTIONS * HTTP/1.1\r\n" + kHost + "\r\n");
    good(rows, "an absolute target", "GET http://localhost/x?y HTTP/1.1\r\n" + kHost + "\r\n");
    good(rows, "an absolute target with a port", "GET http://127.0.0.1:80/x HTTP/1.1\r\n" + kHost + "\r\n");
    good(rows, "an absolute target without a path", "GET http://localhost HTTP/1.1\r\n" + kHost + "\r\n");
    good(rows, "an absolute target in capitals", "GET HTTP://LOCALHOST/ HTTP/1.1\r\n" + kHost + "\r\n");
    good(rows, "every character of a target", "GET /-._~!$&'()*+,;=:@/?a=%41&b=?/ HTTP/1.1\r\n" + kHost + "\r\n");
    good(rows, "the longest target", "GET /" + times(4095, "x") + " HTTP/1.1\r\n" + kHost + "\r\n");
    rows.push_back({"method HEAD", "HEAD /x HTTP/1.1\r\n" + kHost + "\r\n", "200", "200", true, true});
    rows.back().bytes = "HEAD /x HTTP/1.1\r\n" + kHost + "Connection: close\r\n\r\n";
    rows.push_back(
        {"a refused HEAD", "HEAD /x HTTP/1.1\r\n" + kHost + "Origin: null\r\n\r\n", "403", "403", true, true});
}

void addHosts(Rows &rows)
{
    const auto host = [](const std::string &value) { return "GET /x HTTP/1.1\r\nHost: " + value + "\r\n\r\n"; };
    bad(rows, "no host on 1.1", "GET / HTTP/1.1\r\n\r\n", "400");
    bad(rows, "no host on 1.1, with other fields", "GET / HTTP/1.1\r\nX: y\r\n\r\n", "400");
    bad(rows, "two hosts, the same", get("Host: localhost\r\n"), "400");
    bad(rows, "two hosts, one foreign", get("Host: evil.example\r\n"), "400");
    bad(rows, "two hosts, one empty", get("host:\r\n"), "400");
    for (const char *const value :
         {"localhost", "LocalHost", "localhost:80", "localhost:65535", "localhost:0", "localhost:", "127.0.0.1",
          "127.0.0.2", "127.0.0.1:8080", "[::1]", "[::1]:8080", "\t localhost \t"})
        good(rows, std::string("host ") + value, host(value));
    for (const char *const value : {"evil.example", "evil.example:80", "localhost.evil.example", "localhost.",
                                    "127.0.0.1.evil.example", "127.1", "2130706433", "0x7f000001", "0.0.0.0", "[::]",
                                    "[::2]", "[::ffff:127.0.0.1]", "192.0.2.1", "xlocalhost", "localhost%00", ""}) {
        rows.push_back({std::string("foreign host ") + value, host(value), "400", "200", true, false});
    }
    for (const char *const value : {"localhost:x",
                                    "localhost:65536",
                                    "localhost:123456",
                                    "localhost:-1",
                                    "localhost:80:80",
                                    "localhost, localhost",
                                    "localhost localhost",
                                    "a@localhost",
                                    "localhost/",
                                    "localhost?x",
                                    "localhost#x",
                                    "http://localhost",
                                    "[::1",
                                    "::1",
                                    "[::1]x",
                                    "[]",
                                    "[localhost]",
                                    "[::1%lo]",
                                    "local\\host",
                                    "local\"host",
                                    "loc\xc3\xa4lhost",
                                    "localhost%0",
                                    "<localhost>"})
        bad(rows, std::string("malformed host ") + value, host(value), "400");
    for (const char *const value : {"http://evil.example", "https://localhost", "http://localhost", "null", "",
                                    "file://", "chrome-extension://x"})
        bad(rows, std::string("origin ") + value, get(std::string("Origin: ") + value + "\r\n"), "403");
    bad(rows, "origin in capitals", get("ORIGIN: http://evil.example\r\n"), "403");
    bad(rows, "origin on a POST, its body is no request",
        post("Origin: null\r\nContent-Length: " + std::to_string(smuggled().size()) + "\r\n", smuggled()), "403");
    bad(rows, "origin twice", get("Origin: null\r\nOrigin: null\r\n"), "400");
    bad(rows, "a browser's preflight",
        "OPTIONS /v1/steps HTTP/1.1\r\n" + kHost
            + "Origin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\n\r\n",
        "403");
}

void addFields(Rows &rows)
{
    bad(rows, "LF for line ends", "GET / HTTP/1.1\nHost: localhost\n\n", "400");
    bad(rows, "LF for one line end", "GET / HTTP/1.1\r\nHost: localhost\n\r\n", "400");
    bad(rows, "LF for the request line's end", "GET / HTTP/1.1\nHost: localhost\r\n\r\n", "400");
    bad(rows, "LF for the last line end", "GET / HTTP/1.1\r\nHost: localhost\r\n\n", "400");
    bad(rows, "LF CR for line ends", "GET / HTTP/1.1\n\rHost: localhost\n\r\n\r", "400");
    bad(rows, "CR for line ends", "GET / HTTP/1.1\rHost: localhost\r\r", "400");
    bad(rows, "CR CR LF", "GET / HTTP/1.1\r\r\nHost: localhost\r\n\r\n", "400");
    bad(rows, "CR CR LF at the end", get("X: y\r"), "400");
    bad(rows, "a bare CR in a value", get("X: a\rb\r\n"), "400");
    bad(rows, "a folded field", get("X: a\r\n b\r\n"), "400");
    bad(rows, "a field folded by a tab", get("X: a\r\n\tb\r\n"), "400");
    bad(rows, "a field folded to nothing", get("X: a\r\n \r\n"), "400");
    bad(rows, "a blank line that is not empty", get(" \r\n"), "400");
    bad(rows, "a folded host", "GET / HTTP/1.1\r\nHost:\r\n localhost\r\n\r\n", "400");
    bad(rows, "the first field behind a blank", "GET / HTTP/1.1\r\n Host: localhost\r\n\r\n", "400");
    bad(rows, "a blank before the colon", get("X : y\r\n"), "400");
    bad(rows, "a tab before the colon", get("X\t: y\r\n"), "400");
    bad(rows, "an empty name", get(": y\r\n"), "400");
    bad(rows, "a blank for a name", get(" : y\r\n"), "400");
    bad(rows, "no colon", get("X\r\n"), "400");
    bad(rows, "no colon, two words", get("X y\r\n"), "400");
    for (const char *const separator :
         {"(", ")", ",", "/", ";", "<", "=", ">", "?", "@", "[", "\\", "]", "{", "}", "\"", "\x80", "\xc3\xa4"})
        bad(rows, std::string("a name with ") + separator, get(std::string("X") + separator + "Y: z\r\n"), "400");
    for (int byte = 0; byte < 0x20; ++byte) {
        if (byte == '\t' || byte == '\r' || byte == '\n')
            continue;
        const std::string one(1, static_cast<char>(byte));
        const std::string what = "control character " + hex(byte);
        bad(rows, what + " in a value", get("X: a" + one + "b\r\n"), "400");
        bad(rows, what + " in a name", get("X" + one + ": a\r\n"), "400");
        bad(rows, what + " in the target", getOf("/" + one), "400");
        bad(rows, what + " in the host", "GET / HTTP/1.1\r\nHost: local" + one + "host\r\n\r\n", "400");
    }
    bad(rows, "DEL in a value", get("X: \x7f\r\n"), "400");
    bad(rows, "DEL in a name", get("X\x7f: y\r\n"), "400");
    bad(rows, "DEL in the target", "GET /\x7f HTTP/1.1\r\n" + kHost + "\r\n", "400");
    bad(rows, "a tab in the target", "GET /\t HTTP/1.1\r\n" + kHost + "\r\n", "400");
    for (const char *const name : {"Authorization: Bearer a", "Content-Type: application/json",
                                   "Content-Encoding: gzip", "Expect: 100-continue"})
        bad(rows, std::string("twice ") + name, post(std::string(name) + "\r\n" + name + "\r\n", ""), "400");
    good(rows, "a value that is not ASCII", get("X: \xc3\xa4\xff\r\n"));
    good(rows, "a value of blanks", get("X: \t \r\n"));
    good(rows, "no value", get("X:\r\n"));
    good(rows, "a tab in a value", get("X: a\tb\r\n"));
    good(rows, "every character of a name", get("!#$%&'*+-.^_`|~09azAZ: y\r\n"));
    good(rows, "a field of ours twice that means nothing", get("X: y\r\nX: z\r\n"));

    const std::string field = "X-Some-Field: and its value\r\n";
    good(rows, "64 fields", get(times(63, "X: y\r\n")));
    bad(rows, "65 fields", get(times(64, "X: y\r\n")), "431");
    bad(rows, "200 fields", get(times(199, field)), "431");
    bad(rows, "10,000 fields", get(times(9'999, field)), "431");
    bad(rows, "a field of 100 KiB", get("X: " + times(102'400, "y") + "\r\n"), "431");
    bad(rows, "a name of 100 KiB", get(times(102'400, "y") + ": y\r\n"), "431");
    bad(rows, "fields that are together too long", get(times(40, "X: " + times(1000, "y") + "\r\n")), "431");
    const std::size_t rest = get("X: \r\n").size();
    good(rows, "a head of 16 KiB", get("X: " + times(16'384 - rest, "y") + "\r\n"));
    bad(rows, "a head of one byte more", get("X: " + times(16'385 - rest, "y") + "\r\n"), "431");
}

void addConnections(Rows &rows)
{
    const std::string one = get("");
    good(rows, "two pipelined requests", one + one, "200 200");
    good(rows, "pipelined with bodies", post("Content-Length: 5\r\n", "hello") + chunked("1\r\nx\r\n0\r\n\r\n") + one,
         "200 200 200");
    std::string statuses = "200";
    for (int i = 1; i < 100; ++i)
        statuses += " 200";
    good(rows, "100 pipelined requests", times(100, one), statuses);
    bad(rows, "a good one, then a bad one, then one that is never run", one + "BAD\r\n\r\n" + smuggled(), "200 400");
    bad(rows, "a body one byte longer than declared", post("Content-Length: 4\r\n", "hello") + "\r\n\r\n" + smuggled(),
        "200 400");
    bad(rows, "close", get("Connection: close\r\n") + smuggled(), "200");
    bad(rows, "close among others", get("Connection: x, Close ,y\r\n") + smuggled(), "200");
    bad(rows, "close and keep-alive", get("Connection: keep-alive, close\r\n") + smuggled(), "200");
    bad(rows, "close in a second field", get("Connection: x\r\nConnection: close\r\n") + smuggled(), "200");
    bad(rows, "HTTP/1.0", "GET / HTTP/1.0\r\n\r\n" + smuggled(), "200");
    bad(rows, "HTTP/1.0 with a host", "GET / HTTP/1.0\r\n" + kHost + "\r\n" + smuggled(), "200");
    rows.push_back(
        {"HTTP/1.0 with a foreign host", "GET / HTTP/1.0\r\nHost: evil.example\r\n\r\n", "400", "200", true, false});
    bad(rows, "HTTP/1.0 with a body", "POST / HTTP/1.0\r\nContent-Length: 5\r\n\r\nhello" + smuggled(), "200");
    bad(rows, "HTTP/1.0 with an expectation",
        "POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\nhello", "200");
    good(rows, "HTTP/1.0 that is kept", "GET / HTTP/1.0\r\n" + kHost + "Connection: keep-alive\r\n\r\n");
    good(rows, "keep-alive", get("Connection: keep-alive\r\n"));
    good(rows, "an upgrade that is not taken",
         get("Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n"));
    good(rows, "a web socket that is not taken",
         get("Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"));
    good(rows, "a list of connection options with nothing in it", get("Connection: ,, ,\r\n"));
    good(rows, "expectation", post("Expect: 100-continue\r\nContent-Length: 5\r\n", "hello"), "100 200");
    good(rows, "expectation in capitals", post("EXPECT: 100-CONTINUE\r\nContent-Length: 5\r\n", "hello"), "100 200");
    good(rows, "expectation of a chunked body",
         post("Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), "100 200");
    good(rows, "expectation without a body", get("Expect: 100-continue\r\n"));
    good(rows, "expectation of a body of 0 bytes", post("Expect: 100-continue\r\nContent-Length: 0\r\n", ""));
    bad(rows, "expectation, then a malformed body",
        post("Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n", "x\r\n" + smuggled()), "100 400");
    for (const char *const value : {"200-ok", "100-continue, 200-ok", "100-continue=1", "", "100", "continue"})
        bad(rows, std::string("another expectation: ") + value,
            post(std::string("Expect: ") + value + "\r\nContent-Length: 5\r\n", "hello"), "417");
}

Rows allRows()
{
    Rows rows;
    addFraming(rows);
    addChunks(rows);
    addRequestLines(rows);
    addHosts(rows);
    addFields(rows);
    addConnections(rows);
    for (Exchange &row : rows) // what only one door refuses is kept at the other
        if (row.overTcp != row.overUnix)
            row.bytes.insert(row.bytes.find("\r\n") + 2, "Connection: close\r\n");
    return rows;
}

Rows unfinished()
{
    Rows rows;
    bad(rows, "one byte of a head", "G", "408");
    bad(rows, "a head without its end", "GET / HTTP/1.1\r\n" + kHost, "408");
    bad(rows, "a head without its last byte", "GET / HTTP/1.1\r\n" + kHost + "\r", "408");
    bad(rows, "a Redis command", "*1\r\n$4\r\nPING\r\n", "408");
    bad(rows, "an empty line and no more", "\r\n", "408");
    bad(rows, "a body without its last byte", post("Content-Length: 6\r\n", "hello"), "408");
    bad(rows, "no body", post("Content-Length: 6\r\n", ""), "408");
    bad(rows, "no body, after 100", post("Content-Length: 6\r\nExpect: 100-continue\r\n", ""), "100 408");
    bad(rows, "a chunk without its end", chunked("5\r\nhel"), "408");
    bad(rows, "chunks without the last", chunked("5\r\nhello\r\n"), "408");
    bad(rows, "trailers without an end", chunked("0\r\nX: y\r\n"), "408");
    bad(rows, "a good one, then half a one", get("") + "GET", "200 408");
    return rows;
}

} // namespace

std::string smuggled()
{
    return "GET " + std::string(kSmuggledTarget) + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
}

const std::vector<Exchange> &exchanges()
{
    static const Rows rows = allRows();
    return rows;
}

const std::vector<Exchange> &unfinishedExchanges()
{
    static const Rows rows = unfinished();
    return rows;
}

} // namespace handreset::test
