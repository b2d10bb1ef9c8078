#include "model/rules/currency.h"

namespace handreset::rules {
namespace {

/// Each code and a space. ISO 4217 list one, as of 2026: with XCG (Curaçao, 2025) and ZWG (Zimbabwe, 2024), and with
/// the codes that these and the euro replaced in the last years, because recorded runs still carry them.
constexpr std::string_view kCodes
    = "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF "
      "CLF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL "
      "HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD "
      "MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR "
      "RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD "
      "TZS UAH UGX USD UYU UZS VED VES VND VUV WST XAF XCD XCG XOF XPF YER ZAR ZMW ZWG ZWL ";

} // namespace

bool isCurrency(std::string_view code) noexcept
{
    if (code.size() != 3 || code.find(' ') != std::string_view::npos)
        return false;
    for (std::size_t at = 0; at < kCodes.size(); at += 4) {
        if (kCodes.substr(at, 3) == code)
            return true;
    }
    return false;
}

} // namespace handreset::rules
