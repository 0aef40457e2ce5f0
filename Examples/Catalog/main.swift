import Seeder
