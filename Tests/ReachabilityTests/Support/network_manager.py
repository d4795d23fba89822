"""A service in NetworkManager's place, for a bus of the tests' own: network_manager.py ADDRESS

Commands come by standard input, a line each: `device NUMBER METERED [INTERFACE]` adds a device or changes it, `remove
NUMBER`, `general METERED`, `strangers` (sends what others than NetworkManager might). It answers each with `ok`.
"""

import sys

import dbus
import dbus.bus
import dbus.lowlevel
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NAME = "org.freedesktop.NetworkManager"
PATH = "/org/freedesktop/NetworkManager"
DEVICE = NAME + ".Device"
PROPERTIES = "org.freedesktop.DBus.Properties"


class Properties(dbus.service.Object):
    def __init__(self, connection, path, interface, values):
        super().__init__(connection, path)
        self.interface, self.values = interface, values

    @dbus.service.method(PROPERTIES, in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        return self.values[name]

    @dbus.service.method(PROPERTIES, in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        return self.values

    @dbus.service.signal(PROPERTIES, signature="sa{sv}as")
    def PropertiesChanged(self, interface, changed, invalidated):
        pass

    def change(self, **changed):
        self.values.update(changed)
        self.PropertiesChanged(self.interface, changed, dbus.Array([], signature="s"))


class Manager(Properties):
    def __init__(self, connection):
        super().__init__(connection, PATH, NAME, {"Metered": dbus.UInt32(0), "Version": "1.42.4"})
        self.devices = {}

    @dbus.service.method(NAME, out_signature="ao")
    def GetAllDevices(self):
        return dbus.Array([device.path for device in self.devices.values()], signature="o")

    def devices_changed(self):
        self.PropertiesChanged(NAME, {"AllDevices": self.GetAllDevices()}, dbus.Array([], signature="s"))


class Device(Properties):
    def __init__(self, connection, number, interface):
        self.path = dbus.ObjectPath(f"{PATH}/Devices/{number}")
        values = {
            "Udi": f"/sys/devices/virtual/net/{interface}",
            "Interface": interface,
            "IpInterface": "",
            "State": dbus.UInt32(100),
            "StateReason": dbus.Struct((dbus.UInt32(100), dbus.UInt32(0)), signature="uu"),
            "Metered": dbus.UInt32(0),
            "LldpNeighbors": dbus.Array([], signature="a{sv}"),
        }
        super().__init__(connection, self.path, DEVICE, values)


def obey(manager, connection, words):
    match words:
        case ["device", number, metered, *rest]:
            if number in manager.devices:
                manager.devices[number].change(Metered=dbus.UInt32(metered))
            else:
                device = Device(connection, number, rest[0])
                device.values["Metered"] = dbus.UInt32(metered)
                manager.devices[number] = device
                manager.devices_changed()
        case ["remove", number]:
            manager.devices.pop(number).remove_from_connection()
            manager.devices_changed()
        case ["general", metered]:
            manager.change(Metered=dbus.UInt32(metered))
        case ["strangers", interface]:
            # A connection of its own: it has another name on the bus.
            stranger = dbus.bus.BusConnection(sys.argv[1])
            changed = dbus.Dictionary({"Metered": dbus.UInt32(1), "Interface": interface}, signature="sv")
            # To each by name: what is meant for all, the bus sorts out by itself.
            for name in stranger.list_names():
                message = dbus.lowlevel.SignalMessage(f"{PATH}/Devices/1", PROPERTIES, "PropertiesChanged")
                message.append(DEVICE, changed, dbus.Array([], signature="s"), signature="sa{sv}as")
                message.set_destination(name)
                stranger.send_message(message)
            # The bus answers in order: it has passed on what came before.
            stranger.list_names()


def main():
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    loop = GLib.MainLoop()
    connection = dbus.bus.BusConnection(sys.argv[1])
    manager = Manager(connection)
    name = dbus.service.BusName(NAME, connection)
    assert name

    def read(source, condition):
        line = sys.stdin.readline()
        if not line:
            loop.quit()
            return False
        obey(manager, connection, line.split())
        connection.flush()
        print("ok", flush=True)
        return True

    GLib.io_add_watch(sys.stdin, GLib.IO_IN | GLib.IO_HUP, read)
    print("ok", flush=True)
    loop.run()


main()
