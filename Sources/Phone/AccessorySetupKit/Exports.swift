// As on iOS: the framework's headers import these modules.
@_exported import CoreBluetooth
@_exported import Dispatch
@_exported import Foundation
@_exported import Observation
@_exported import UIKit
