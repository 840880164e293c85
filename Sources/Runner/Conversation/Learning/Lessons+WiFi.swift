// Wi-Fi. The rig's phone joins with wpa_supplicant, whose habits a personality does not set: they are listed, to compare.
extension Lessons {
    mutating func observeWiFi() {
        for one in byPhone(.probe) {
            observe("it probes for \(one.subject == "any network" ? "any network" : "the network by its name")", one)
        }
        for one in byPhone(.authentication) {
            let form = one["form"].map { ", \($0), groups \(one["groups"] ?? "")" } ?? ""
            observe("its Wi-Fi authentication is \(one["algorithm"] ?? "")\(form)", one)
        }
        for one in byPhone(.association) {
            let cipher = one["cipher"].map { ", cipher \($0)" } ?? ""
            let management = one["protected management frames"].map { ", protected management frames \($0)" } ?? ""
            let protection =
                one["protection"].map { $0 == "none" ? "out protection" : " \($0)" } ?? " unknown protection"
            observe("it joins with\(protection)\(cipher)\(management)", one)
            observe("it knows 802.11 \(one["standards"] ?? ""); its rates: \(one["rates"] ?? "")", one)
        }
        for one in byPhone(.enterpriseLogin) { observe("it logs in by \(one["methods"] ?? "")", one) }
        for one in byPhone(.addressLease) {
            observe(
                "its DHCP begins with \(one["begins with"] ?? ""); asks for options \(one["options asked for"] ?? "")",
                one)
        }
        observeRequests()
    }

    /// The first requests on each link, which come from the system or from an app.
    private mutating func observeRequests() {
        for link in links.prefix(1) {
            let kinds: [Procedure.Kind] = [.nameQuery, .serviceQuery, .webRequest, .connectionToPort]
            let all = onLink(link).filter { kinds.contains($0.kind) && $0.side == .phone }
            guard let first = all.first else { continue }
            observe("its first requests: \(all.prefix(10).map(\.title).joined(separator: "; "))", first)
        }
    }
}
