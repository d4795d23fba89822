import Airframe

print(await AF.request("http://api.test/").serializingString().result)
