@_exported public import Airframe
