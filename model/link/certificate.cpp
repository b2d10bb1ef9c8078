#include "model/link/certificate.h"

#include "model/trust/private_folder.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <string>

namespace handreset::link {

using rules::Error;
using rules::ErrorCode;
using rules::Result;

namespace {

const std::string kName = "link.pem";
constexpr long kTenYears = 60L * 60 * 24 * 3652;
constexpr long kADay = 60L * 60 * 24;
constexpr std::size_t kMostBytes = std::size_t{64} * 1024;
constexpr long kVersion3 = 2; ///< as X.509 counts

template <auto Free>
struct Frees {
    template <class T>
    void operator()(T *what) const
    {
        Free(what);
    }
};
using KeyPointer = std::unique_ptr<EVP_PKEY, Frees<EVP_PKEY_free>>;
using CertificatePointer = std::unique_ptr<X509, Frees<X509_free>>;
using BioPointer = std::unique_ptr<BIO, Frees<BIO_free_all>>;

Error unavailable(const std::string &message, const QString &path)
{
    return {ErrorCode::Unavailable, "the certificate of the operators' link: " + message, path.toStdString()};
}

bool setNames(X509 &certificate)
{
    X509_NAME *name = X509_get_subject_name(&certificate);
    static constexpr unsigned char kCommonName[] = "handreset";
    return X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, kCommonName, -1, -1, 0) == 1
        && X509_set_issuer_name(&certificate, name) == 1;
}

/// A serial number that nobody else has: browsers and tools tell certificates apart by it.
bool setSerial(X509 &certificate)
{
    std::uint64_t serial = 0;
    return RAND_bytes(reinterpret_cast<unsigned char *>(&serial), sizeof(serial)) == 1
        && ASN1_INTEGER_set_uint64(X509_get_serialNumber(&certificate), serial | 1U) == 1;
}

CertificatePointer selfSigned(EVP_PKEY &key)
{
    CertificatePointer made(X509_new());
    // From a day ago: a desk whose clock is behind must be able to connect.
    if (!made || X509_set_version(made.get(), kVersion3) != 1 || !setSerial(*made) || !setNames(*made)
        || X509_gmtime_adj(X509_getm_notBefore(made.get()), -kADay) == nullptr
        || X509_gmtime_adj(X509_getm_notAfter(made.get()), kTenYears) == nullptr
        || X509_set_pubkey(made.get(), &key) != 1 || X509_sign(made.get(), &key, EVP_sha256()) == 0)
        return {};
    return made;
}

/// Key and certificate, one after the other; empty where OpenSSL fails.
std::string newPem()
{
    const KeyPointer key(EVP_EC_gen("P-256"));
    if (!key)
        return {};
    const CertificatePointer certificate = selfSigned(*key);
    const BioPointer out(BIO_new(BIO_s_secmem())); // wiped when it goes
    if (!certificate || !out
        || PEM_write_bio_PrivateKey(out.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1
        || PEM_write_bio_X509(out.get(), certificate.get()) != 1)
        return {};
    char *data = nullptr;
    const long size = BIO_get_mem_data(out.get(), &data);
    return size > 0 ? std::string(data, static_cast<std::size_t>(size)) : std::string();
}

Result<Certificate> certificateFrom(const QByteArray &pem, const QString &path)
{
    Certificate found{QSslCertificate(pem, QSsl::Pem), QSslKey(pem, QSsl::Ec, QSsl::Pem)};
    if (found.certificate.isNull() || found.key.isNull())
        return unavailable("it is damaged; put a copy in its place, or move it away: desks must pin the new one", path);
    return found;
}

} // namespace

rules::Digest fingerprintOf(const QSslCertificate &certificate)
{
    const QByteArray der = certificate.toDer();
    return rules::sha256({der.constData(), static_cast<std::size_t>(der.size())});
}

rules::Digest Certificate::fingerprint() const
{
    return fingerprintOf(certificate);
}

Result<Certificate> certificateIn(const QString &folder)
{
    const auto place = trust::PrivateFolder::make(folder, "certificate");
    if (!place)
        return place.error();
    auto pem = place->read(kName, kMostBytes);
    if (!pem && pem.error().code == ErrorCode::NotFound) {
        const std::string made = newPem();
        if (made.empty())
            return unavailable("OpenSSL could not make one", folder);
        if (auto written = place->write(kName, made, trust::PrivateFolder::Replace::No); !written)
            return written.error();
        pem = place->read(kName, kMostBytes);
    }
    if (!pem)
        return pem.error();
    return certificateFrom(QByteArray::fromStdString(*pem), QString::fromStdString(place->pathOf(kName)));
}

} // namespace handreset::link
