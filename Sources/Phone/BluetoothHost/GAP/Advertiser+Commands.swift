import RadioModel

// The commands for the controller.
extension Advertiser {
    /// Everything from the parameters to the beginning of advertising.
    func commands(for order: Order, _ abilities: ControllerAbilities) -> [HCICommand] {
        let (plan, set) = (order.plan, configuration.set)
        guard abilities.usesExtendedCommands else {
            return [
                .leSetAdvertisingParameters(parameters(for: order)), .leSetAdvertisingData(plan.data),
                .leSetScanResponseData(plan.scanResponse), enabling(true, abilities),
            ]
        }
        // The address of a set may change only while the set is disabled, and only after its parameters are known.
        let address =
            order.local.isRandom ? [HCICommand.leSetAdvertisingSetRandomAddress(set, order.local.address)] : []
        return [.leSetExtendedAdvertisingParameters(set, extendedParameters(for: order))] + address
            + HCICommand.leSetExtendedAdvertisingData(set, plan.data)
            + HCICommand.leSetExtendedScanResponseData(set, plan.scanResponse) + [enabling(true, abilities)]
    }

    /// Begins or ends advertising.
    func enabling(_ isOn: Bool, _ abilities: ControllerAbilities) -> HCICommand {
        guard abilities.usesExtendedCommands else { return .leSetAdvertisingEnable(isOn) }
        return .leSetExtendedAdvertisingEnable(isOn, [EnabledAdvertisingSet(configuration.set)])
    }

    private func interval(of order: Order) -> ClosedRange<UInt16> {
        order.plan.isForeground ? configuration.interval : configuration.backgroundInterval
    }

    private func parameters(for order: Order) -> AdvertisingParameters {
        var parameters = AdvertisingParameters()
        parameters.interval = interval(of: order)
        parameters.ownAddress = order.local.ownAddress
        return parameters
    }

    /// Packets of Bluetooth 4, which every accessory hears.
    private func extendedParameters(for order: Order) -> ExtendedAdvertisingParameters {
        var parameters = ExtendedAdvertisingParameters()
        parameters.properties = [.connectable, .scannable, .legacy]
        let interval = interval(of: order)
        parameters.interval = UInt32(interval.lowerBound)...UInt32(interval.upperBound)
        parameters.ownAddress = order.local.ownAddress
        return parameters
    }
}
